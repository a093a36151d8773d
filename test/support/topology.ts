import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findCacheProgram, startCacheServer } from './service/cache-server.ts';
import type { CacheServer } from './service/cache-server.ts';

import { startDatabaseHosts } from './failover/database-hosts.ts';
import type { DatabaseHosts } from './failover/database-hosts.ts';
import { composeFolder } from './deployment-files.ts';
import { eventually, findFreePort, launch, runLinnet, separateServer, statusOf } from './service.ts';
import type { Launched, Variables } from './service.ts';

export const serverNames = ['auth1', 'auth2', 'api1', 'api2'] as const;
type ServerName = (typeof serverNames)[number];

/**
 * Everything that the documentation describes for several hosts: two servers of each kind with data directories of their own, behind
 * HAProxy, on two hosts with PostgreSQL behind PgBouncer, with replicas and a cache. Without Valkey and Redis, neither of these two.
 */
export interface Topology extends AsyncDisposable {
  readonly baseUrl: string;
  /** Variables of the command. */
  readonly env: Variables;
  readonly hosts: DatabaseHosts;
  /** Of each server; their workers are descendants. */
  serverPids(): readonly number[];
  readonly cache: CacheServer | undefined;
  server(name: ServerName): Launched;
  /** The server is ready afterwards. */
  startServer(name: ServerName): Promise<void>;
}

/** `variables`: of every server, such as those of a bucket. */
export async function startTopology(variables: Variables = {}): Promise<Topology> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'linnet-topology-'));
  stack.defer(async () => await rm(folder, { recursive: true, force: true }));
  const hosts = stack.use(await startDatabaseHosts());
  const program = await findCacheProgram();
  const cache = program === undefined ? undefined : stack.use(await startCacheServer(program));
  const publicPort = await findFreePort();
  const env = {
    ...hosts.env,
    ...(cache === undefined ? {} : { CACHE_URL: cache.url, DATABASE_REPLICA_URL: hosts.hostUrls.join(',') }),
    BASE_URL: `http://localhost:${String(publicPort)}`,
    SECRET_KEYS: 'a secret of forty characters or somewhat more',
    TRUST_PROXY: '1',
    WORKERS: '2',
    DATABASE_POOL: '8',
    RATE_LIMITS: 'off',
    ...variables,
  };
  const commandEnv = { ...env, DATA_DIR: join(folder, 'command') };
  const migrated = await runLinnet(['migrate', 'run'], commandEnv);
  if (migrated.exitCode !== 0) throw new Error(migrated.stderr);
  const servers = new Map<ServerName, Launched>();
  const ports = new Map<ServerName, number>();
  stack.defer(async () => {
    for (const server of servers.values()) await server[Symbol.asyncDispose]();
  });
  for (const name of serverNames) ports.set(name, await findFreePort());
  stack.use(await startPublicProxy(folder, publicPort, ports));
  const startServer = async (name: ServerName) => {
    const port = String(ports.get(name));
    servers.set(name, await start(name, { ...env, PORT: port, DATA_DIR: await prepareDataDir(folder, name) }));
  };
  for (const name of serverNames) await startServer(name);
  const running = stack.move();
  return {
    baseUrl: env.BASE_URL,
    env: commandEnv,
    hosts,
    cache,
    serverPids: () => [...servers.values()].map(({ process: server }) => server.pid ?? 0),
    server: (name) => servers.get(name) ?? notStarted(name),
    startServer,
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

function notStarted(name: string): never {
  throw new TypeError(`${name} was not started`);
}

/** Media are shared, in this folder or in a bucket. Mail too, so that tests find it. */
async function prepareDataDir(folder: string, name: ServerName): Promise<string> {
  const dataDir = join(folder, name);
  await mkdir(dataDir, { recursive: true });
  for (const shared of ['media', 'mail']) {
    await mkdir(join(folder, shared), { recursive: true });
    await symlink(join(folder, shared), join(dataDir, shared)).catch(() => undefined);
  }
  return dataDir;
}

async function start(name: ServerName, env: Variables): Promise<Launched> {
  const launched = await launch({ env, command: [...separateServer, name.slice(0, -1)] });
  const url = `http://127.0.0.1:${String(launched.port)}/health/ready`;
  await eventually(`${name} is ready`, async () => (await statusOf(url)) === 200).catch((error: unknown) => {
    throw new Error(`${launched.stdout()}\n${launched.stderr()}`, { cause: error });
  });
  return launched;
}

/** docs/operations/compose/haproxy.cfg without TLS and without the names of containers. */
async function startPublicProxy(
  folder: string,
  port: number,
  ports: ReadonlyMap<ServerName, number>,
): Promise<AsyncDisposable> {
  const example = await readFile(join(composeFolder, 'haproxy.cfg'), 'utf8');
  const configuration = example
    .replace(/^frontend redirect\n(?: .*\n)+/m, '')
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
    .replace(' resolvers docker init-addr libc,none', '')
    .replace(/bind :8443.*/, `bind 127.0.0.1:${String(port)}`)
    .replaceAll(/ (auth1|auth2|api1|api2):3000/g, (_, name: ServerName) => ` 127.0.0.1:${String(ports.get(name))}`);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
