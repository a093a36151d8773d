import { openDatabase } from '@linnet/db/database';
import { describeDatabaseProblem, requireMigrations } from '@linnet/db/startup-problem';
import { createRevocationFeed } from '@linnet/revocations/feed';
import { serve } from '@linnet/service/http-server';
import { startJobs } from '@linnet/service/jobs';
import { createLogger } from '@linnet/service/logger';
import { loadSecretKeys } from '@linnet/service/secret-keys';
import { runServerProcess } from '@linnet/service/server-process';

import { createApiApp } from './app.ts';
import { readApiConfig } from './config.ts';
import { loadKeysFromUrl } from './keys/remote-keys.ts';

const drainDeadlineMs = 8000;

/** Runs the API server as its own process. */
async function serveApi(signal: Promise<string>): Promise<void> {
  const { app: config, database, host, jwksUrl, port, logLevel } = readApiConfig();
  await requireMigrations(database.url.reveal());
  const logger = createLogger({ level: logLevel, pretty: process.stdout.isTTY });
  if (!config.rateLimits) logger.warn('RATE_LIMITS is off: requests and password attempts are not limited');
  const open = (poolSize: number) =>
    openDatabase({
      url: database.url.reveal(),
      poolSize,
      prepare: database.prepare,
      onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
    });
  // The feed uses one connection of the pool size.
  await using db = open(Math.max(1, database.poolSize - 1));
  await using feedDb = open(1);
  await using feed = createRevocationFeed({
    db: feedDb,
    onError: (error) => logger.warn({ err: error }, 'the revocation feed cannot be read'),
  });
  const secretKeys = config.secretKeys.length > 0 ? config.secretKeys : await loadSecretKeys(config.dataDir);
  const loadKeys = loadKeysFromUrl(jwksUrl);
  await using app = createApiApp({ config: { ...config, secretKeys }, db, loadKeys, feed, logger });
  await using _jobs = startJobs(app.jobs, logger);
  const server = await serve({ ...app, host, port, logger });
  logger.info({ port: server.port, baseUrl: config.baseUrl }, 'API server is listening');
  logger.info({ signal: await signal }, 'draining');
  await server.drain(drainDeadlineMs);
}

await runServerProcess({ serve: serveApi, describeProblem: describeDatabaseProblem });
