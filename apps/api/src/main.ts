import { openDatabase } from '@linnet/db/database';
import { ConfigurationError } from '@linnet/service/configuration-error';
import { serve } from '@linnet/service/http-server';
import { createLogger } from '@linnet/service/logger';

import { createApiApp } from './app.ts';
import { processEnvironment, readApiConfig } from './config.ts';
import { loadKeysFromUrl } from './keys/remote-keys.ts';

const drainDeadlineMs = 8000;

/** The API server as a process of its own: serves until SIGTERM or SIGINT, then drains. */
async function main(): Promise<void> {
  const config = readApiConfig(processEnvironment());
  const logger = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY });
  await using db = openDatabase({
    url: config.database.url.reveal(),
    poolSize: config.database.poolSize,
    prepare: config.database.prepare,
    onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
  const app = createApiApp({ config: config.app, db, loadKeys: loadKeysFromUrl(config.jwksUrl), logger });
  const server = await serve({ ...app, host: config.host, port: config.port, logger });
  logger.info({ port: server.port }, 'API server is listening');
  const signal = await nextSignal();
  logger.info({ signal }, 'draining');
  await server.drain(drainDeadlineMs);
}

function nextSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal));
  return promise;
}

try {
  await main();
} catch (error) {
  // Operators get the problem, one line each; a stack is for faults of ours.
  process.exitCode = 1;
  process.stderr.write(error instanceof ConfigurationError ? `${error.message}\n` : `${String(error)}\n`);
}
