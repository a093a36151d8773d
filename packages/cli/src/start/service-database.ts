import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { EmbeddedPostgres } from '@linnet/db/embedded/embedded-postgres';
import type { DatabaseSessions } from '@linnet/service/config/variables';
import type { Logger } from '@linnet/service/log/logger';

/** The database of this run: an external server, or the embedded one until this is disposed of. */
export interface ServiceDatabase extends AsyncDisposable {
  readonly url: string;
  /** For migrations. */
  readonly directUrl: string;
  readonly isEmbedded: boolean;
  readonly sessions: DatabaseSessions;
}

interface DatabaseSettings {
  readonly databaseUrl: string | undefined;
  readonly directUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseSessions: DatabaseSessions;
}

/** @throws EmbeddedPostgresError if the embedded PostgreSQL cannot start */
export async function openServiceDatabase(config: DatabaseSettings, logger: Log): Promise<ServiceDatabase> {
  const url = config.databaseUrl;
  if (url === undefined) return await superviseEmbedded(config.dataDir, logger);
  return {
    url,
    directUrl: config.directUrl ?? url,
    isEmbedded: false,
    sessions: config.databaseSessions,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Receives what happens to the embedded PostgreSQL. */
type Log = Pick<Logger, 'info' | 'error'>;

const firstRetryMs = 100;
const maxRetryMs = 5000;

/** Starts the embedded PostgreSQL and restarts it if it dies. */
async function superviseEmbedded(dataDir: string, logger: Log): Promise<ServiceDatabase> {
  // Loaded only where it runs.
  const { startEmbeddedPostgres } = await import('@linnet/db/embedded/embedded-postgres');
  const options = { directory: join(dataDir, 'postgres'), log: (message: string) => logger.info(message) };
  const start = () => startEmbeddedPostgres(options);
  const released = new AbortController();
  let current = await start();
  let restarting = Promise.resolve();

  const watch = (embedded: EmbeddedPostgres) => {
    embedded.onUnexpectedExit(() => {
      if (released.signal.aborted) return;
      logger.error('PostgreSQL exited unexpectedly; restarting it');
      restarting = restart(start, released.signal, logger).then((restarted) => {
        if (restarted === undefined) return;
        current = restarted;
        watch(restarted);
      });
    });
  };
  watch(current);
  return {
    url: current.url,
    directUrl: current.url,
    isEmbedded: true,
    // No pooler is in between.
    sessions: { prepare: true, describe: false, startupOptions: true },
    [Symbol.asyncDispose]: async () => {
      released.abort();
      await restarting;
      await current.release();
    },
  };
}

async function restart(
  start: () => Promise<EmbeddedPostgres>,
  released: AbortSignal,
  logger: Log,
): Promise<EmbeddedPostgres | undefined> {
  for (let waitMs = firstRetryMs; !released.aborted; waitMs = Math.min(2 * waitMs, maxRetryMs)) {
    try {
      return await start();
    } catch (error) {
      logger.error({ err: error }, 'PostgreSQL did not start; retrying');
      await delay(waitMs, undefined, { signal: released }).catch(() => undefined);
    }
  }
  return undefined;
}
