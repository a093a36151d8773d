import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openServiceDatabase } from '@linnet/cli/start/service-database';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';

import { createClient } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import type { DatabaseProxy } from '../support/database-proxy.ts';
import { findProcesses, isPostgres, isWorker } from '../support/processes.ts';
import { findFreePort, startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

/** Processes that a scenario may harm. */
export type Victim = 'worker' | 'primary' | 'PostgreSQL';

/** A service of two workers, its embedded PostgreSQL, and a proxy between them. */
export interface World extends AsyncDisposable {
  readonly baseUrl: string;
  readonly client: Client;
  /** Of all data. */
  readonly directory: string;
  /** The database past the proxy. */
  readonly databaseUrl: string;
  readonly db: Db;
  readonly proxy: DatabaseProxy;
  service(): Service;
  /** Kills a process with SIGKILL. The service restarts PostgreSQL and workers; this starts a new primary. */
  kill(victim: Victim): Promise<void>;
  /** Process ids of the primary and its workers. */
  findServers(): Promise<readonly number[]>;
}

interface WorldOptions {
  /** Variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the directory of all data before anything is in it. */
  readonly prepare?: (directory: string) => Promise<void>;
  /** Called before the directory is removed. */
  readonly release?: (directory: string) => Promise<void>;
  /** Starts PostgreSQL, instead of the embedded one. */
  readonly startDatabase?: () => Promise<Database>;
}

interface Database extends AsyncDisposable {
  /** Past poolers. */
  readonly url: string;
  /** What the service connects to; `url` if absent. */
  readonly serviceUrl?: string;
  /** Variables of a service that connects to it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { env = {}, prepare, release, startDatabase } = options;
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(await findFastDirectory(), 'linnet-chaos-'));
  stack.defer(async () => await rm(directory, { recursive: true, force: true }));
  await prepare?.(directory);
  stack.defer(async () => await release?.(directory));
  const database = stack.use(await (startDatabase?.() ?? startPostgres(directory)));
  const proxy = stack.use(await startDatabaseProxy(database.serviceUrl ?? database.url));
  const dataDir = join(directory, 'service');
  await mkdir(dataDir);
  const variables = {
    ...database.env,
    ...env,
    PORT: String(await findFreePort()),
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    WORKERS: '2',
    RATE_LIMITS: 'off',
    LOG_SAMPLE: '0',
  };
  let service = await startService({ env: variables });
  stack.defer(async () => await service[Symbol.asyncDispose]());
  const client = await createClient({ ...service.env, DATABASE_URL: database.url }, 'chaos_owner');
  const db = stack.use(openDatabase({ url: database.url, poolSize: 2, prepare: true }));
  const findServers = async () => (await findProcesses(dataDir)).map(({ pid }) => pid);
  const kill = async (victim: Victim) => {
    const found = await findProcesses(victim === 'PostgreSQL' ? directory : dataDir);
    const pid = victim === 'primary' ? service.pid : found.find(victim === 'worker' ? isWorker : isPostgres)?.pid;
    process.kill(pid ?? Number.NaN, 'SIGKILL');
    if (victim !== 'primary') return;
    await service[Symbol.asyncDispose]();
    service = await startService({ env: variables });
  };
  const running = stack.move();
  return {
    baseUrl: service.baseUrl,
    client,
    directory,
    databaseUrl: database.url,
    db,
    proxy,
    service: () => service,
    kill,
    findServers,
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

/** Kept running as the service does it. */
async function startPostgres(dataDir: string): Promise<Database> {
  const config = { dataDir, databaseUrl: undefined, directUrl: undefined, databaseSessions: sessions };
  return await openServiceDatabase(config, { info: () => undefined, error: () => undefined });
}

const sessions = { prepare: true, describe: false, startupOptions: true };
const memoryDirectory = '/dev/shm';

/** In memory if possible: these tests are about processes, which a busy disk would delay. */
async function findFastDirectory(): Promise<string> {
  return await access(memoryDirectory).then(
    () => memoryDirectory,
    () => tmpdir(),
  );
}
