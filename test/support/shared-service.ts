import { createTestDatabase } from '@linnet/db/test-database';
import type { DatabaseServer } from '@linnet/db/test-server';

import { findFreePort, linnet, startService } from './service.ts';
import type { Variables } from './service.ts';

/** How test processes reach the service of the run. Plain data, so that it can be passed to them. */
export interface SharedService {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** For `runLinnet`. */
  readonly env: Variables;
  /** `host:port` where a test may serve images that the service fetches. */
  readonly imageHost: string;
  /** `host:port` where a test file may receive logout tokens; one for each, since files run at the same time. */
  readonly logoutHosts: Readonly<Record<'modules' | 'browser', string>>;
}

export interface StartedSharedService extends AsyncDisposable {
  readonly service: SharedService;
}

/**
 * Starts the service that the tests of a run share, with its own database. Rate limits are off, since all tests use one
 * address. The service exits with this process, even if that is killed.
 */
export async function startSharedService(server: DatabaseServer): Promise<StartedSharedService> {
  const database = await createTestDatabase(server);
  const imageHost = await findFreeHost();
  const logoutHosts = { modules: await findFreeHost(), browser: await findFreeHost() };
  const allowed = [imageHost, ...Object.values(logoutHosts)].join(',');
  try {
    const service = await startService({
      env: { DATABASE_URL: database.url, DATABASE_POOL: '10', RATE_LIMITS: 'off', MEDIA_FETCH_ALLOW: allowed },
      command: [...linnet, 'start', '--with-parent'],
    });
    const { baseUrl, dataDir, env } = service;
    return {
      service: { baseUrl, dataDir, env, imageHost, logoutHosts },
      [Symbol.asyncDispose]: async () => {
        await service[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

const findFreeHost = async (): Promise<string> => `127.0.0.1:${String(await findFreePort())}`;
