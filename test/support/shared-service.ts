import { createTestDatabase } from './db/test-database.ts';
import type { DatabaseServer } from './db/test-server.ts';

import { describePgBouncer, findPgBouncer, startPgBouncer } from './pgbouncer.ts';
import { findMissingPrograms } from './failover/programs.ts';
import { findFreePort, linnet, startService } from './service.ts';
import type { Variables } from './service.ts';
import { startTopology } from './topology.ts';

/** How test processes reach the service of the run. Plain data, so that it can be passed to them. */
export interface SharedService {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Where it serves `/metrics`. */
  readonly metricsUrl: string;
  /** For `runLinnet`. */
  readonly env: Variables;
  /** `host:port` where a test may serve images that the service fetches. */
  readonly imageHost: string;
  /** The same for the tests of the Python SDK. */
  readonly pythonImageHost: string;
  /** Where the test of Web Push listens. */
  readonly pushHost: string;
  /** Where the test of link cards serves a page. */
  readonly linkHost: string;
  /** `host:port` where a test file may receive logout tokens; one for each, since files run at the same time. */
  readonly logoutHosts: Readonly<Record<'modules' | 'browser', string>>;
}

export interface StartedSharedService extends AsyncDisposable {
  readonly service: SharedService;
}

/**
 * Starts the service that the tests of a run share, with its own database. Rate limits are off, since all tests use one
 * address. It has two workers, so that successive requests reach different processes. The service exits with this process,
 * even if that is killed.
 */
export async function startSharedService(server: DatabaseServer): Promise<StartedSharedService> {
  const topology = process.env['TOPOLOGY'] === 'on' ? await startSharedTopology() : undefined;
  if (topology !== undefined) return topology;
  await using started = new AsyncDisposableStack();
  const database = started.use(await createTestDatabase(server));
  const variables = await findDatabaseVariables(database.url, started);
  const imageHost = await findFreeHost();
  const pythonImageHost = await findFreeHost();
  const pushHost = await findFreeHost();
  const linkHost = await findFreeHost();
  const logoutHosts = { modules: await findFreeHost(), browser: await findFreeHost() };
  const managementPort = String(await findFreePort());
  const allowed = [imageHost, pythonImageHost, pushHost, linkHost, ...Object.values(logoutHosts)].join(',');
  const service = await startService({
    env: {
      ...variables,
      DATABASE_POOL: '10',
      WORKERS: '2',
      RATE_LIMITS: 'off',
      MEDIA_FETCH_ALLOW: allowed,
      MANAGEMENT_PORT: managementPort,
    },
    command: [...linnet, 'start', '--with-parent'],
  });
  started.use(service);
  const running = started.move();
  const { baseUrl, dataDir, env } = service;
  return {
    service: {
      baseUrl,
      dataDir,
      metricsUrl: `http://127.0.0.1:${managementPort}/metrics`,
      env,
      imageHost,
      pythonImageHost,
      pushHost,
      linkHost,
      logoutHosts,
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

/** `TOPOLOGY=on`: servers on several hosts instead of the service. Where programs are missing, it says so. */
async function startSharedTopology(): Promise<StartedSharedService | undefined> {
  const missing = findMissingPrograms();
  if (missing.length > 0) {
    process.stderr.write(`TOPOLOGY=on: not installed, one service instead: ${missing.join(', ')}\n`);
    return undefined;
  }
  const imageHost = await findFreeHost();
  const pythonImageHost = await findFreeHost();
  const pushHost = await findFreeHost();
  const linkHost = await findFreeHost();
  const logoutHosts = { modules: await findFreeHost(), browser: await findFreeHost() };
  const allowed = [imageHost, pythonImageHost, pushHost, linkHost, ...Object.values(logoutHosts)].join(',');
  const topology = await startTopology({ MEDIA_FETCH_ALLOW: allowed });
  const { baseUrl, env } = topology;
  const dataDir = topology.server('auth1').dataDir;
  return {
    service: { baseUrl, dataDir, metricsUrl: '', env, imageHost, pythonImageHost, pushHost, linkHost, logoutHosts },
    [Symbol.asyncDispose]: async () => await topology[Symbol.asyncDispose](),
  };
}

/** `POOLER=on` puts PgBouncer between the service and its database; where there is none, it says so. */
async function findDatabaseVariables(url: string, started: AsyncDisposableStack): Promise<Variables> {
  if (process.env['POOLER'] !== 'on') return { DATABASE_URL: url };
  const bouncer = await findPgBouncer();
  process.stderr.write(`POOLER=on: ${describePgBouncer(bouncer)}\n`);
  return bouncer === undefined ? { DATABASE_URL: url } : started.use(await startPgBouncer(bouncer, url)).env;
}

const findFreeHost = async (): Promise<string> => `127.0.0.1:${String(await findFreePort())}`;
