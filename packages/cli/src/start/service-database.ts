import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startEmbeddedPostgres } from '@linnet/db/embedded';
import type { EmbeddedPostgres } from '@linnet/db/embedded';
import type { Logger } from '@linnet/service/logger';

import type { Config } from '../config.ts';

/** The database of this run: the operator's server, or the embedded one for as long as it is held. */
export interface ServiceDatabase extends AsyncDisposable {
  readonly url: string;
  /** For migrations. */
  readonly directUrl: string;
  readonly isEmbedded: boolean;
}

/** @throws EmbeddedPostgresError when the embedded PostgreSQL cannot run here. */
export async function openServiceDatabase(
  config: Pick<Config, 'databaseUrl' | 'directUrl' | 'dataDir'>,
  logger: Logger,
): Promise<ServiceDatabase> {
  const url = config.databaseUrl?.reveal();
  if (url === undefined) return await holdEmbedded(config.dataDir, logger);
  return {
    url,
    directUrl: config.directUrl?.reveal() ?? url,
    isEmbedded: false,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const firstRetryMs = 100;
const maxRetryMs = 5000;

/** Starts the embedded PostgreSQL, and again whenever it dies, until disposed of. */
async function holdEmbedded(dataDir: string, logger: Logger): Promise<ServiceDatabase> {
  const options = { directory: join(dataDir, 'postgres'), log: (message: string) => logger.info(message) };
  const start = () => startEmbeddedPostgres(options);
  const released = new AbortController();
  let current = await start();
  let restarting = Promise.resolve();

  const watch = (embedded: EmbeddedPostgres) => {
    embedded.onUnexpectedExit(() => {
      if (released.signal.aborted) return;
      logger.error('PostgreSQL ended unexpectedly, starting it again');
      restarting = startAgain(start, released.signal, logger).then((again) => {
        if (again === undefined) return;
        current = again;
        watch(again);
      });
    });
  };
  watch(current);
  return {
    url: current.url,
    directUrl: current.url,
    isEmbedded: true,
    [Symbol.asyncDispose]: async () => {
      released.abort();
      await restarting;
      await current.release();
    },
  };
}

async function startAgain(
  start: () => Promise<EmbeddedPostgres>,
  released: AbortSignal,
  logger: Logger,
): Promise<EmbeddedPostgres | undefined> {
  for (let waitMs = firstRetryMs; !released.aborted; waitMs = Math.min(2 * waitMs, maxRetryMs)) {
    try {
      return await start();
    } catch (error) {
      logger.error({ err: error }, 'PostgreSQL could not be started');
      await delay(waitMs, undefined, { signal: released }).catch(() => undefined);
    }
  }
  return undefined;
}
