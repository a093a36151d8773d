import { createTestDatabase } from '@linnet/db/test-database';
import type { DatabaseServer } from '@linnet/db/test-server';

import { findFreePort, linnet, startService } from './service.ts';
import type { Variables } from './service.ts';

/** The one started service of a run, as test processes reach it: plain data. */
export interface SharedService {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** For `runLinnet`. */
  readonly env: Variables;
  /** `host:port` where a test may serve pictures that the service fetches. */
  readonly imageHost: string;
}

export interface StartedSharedService extends AsyncDisposable {
  readonly service: SharedService;
}

/**
 * Starts the service that the tests of a run share, on a database of its own at the server of the run.
 * Limits are off: hundreds of tests come from one address. It ends with this process, however that ends.
 */
export async function startSharedService(server: DatabaseServer): Promise<StartedSharedService> {
  const database = await createTestDatabase(server);
  const imageHost = `127.0.0.1:${String(await findFreePort())}`;
  try {
    const service = await startService({
      env: { DATABASE_URL: database.url, DATABASE_POOL: '10', RATE_LIMITS: 'off', MEDIA_FETCH_ALLOW: imageHost },
      command: [...linnet, 'start', '--with-parent'],
    });
    const { baseUrl, dataDir, env } = service;
    return {
      service: { baseUrl, dataDir, env, imageHost },
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
