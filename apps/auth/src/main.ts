import { openDatabase } from '@linnet/db/database';
import { describeDatabaseProblem, requireMigrations } from '@linnet/db/startup-problem';
import { createRevocationFeed } from '@linnet/revocations/feed';
import { serve } from '@linnet/service/http-server';
import { startJobs } from '@linnet/service/jobs';
import { createLogger } from '@linnet/service/logger';
import { loadSecretKeys } from '@linnet/service/secret-keys';
import { runServerProcess } from '@linnet/service/server-process';

import { createAuthApp } from './app.ts';
import { readAuthConfig } from './config.ts';
import { SecretKeysChanged, ensureSigningKeys } from '@linnet/keys/key-ring';

const drainDeadlineMs = 8000;

/** The authorization server as a process of its own. */
async function serveAuth(signal: Promise<string>): Promise<void> {
  const { app: config, database, host, port, logLevel } = readAuthConfig();
  await requireMigrations(database.url.reveal());
  const secretKeys = config.secretKeys.length > 0 ? config.secretKeys : await loadSecretKeys(config.dataDir);
  const logger = createLogger({ level: logLevel, pretty: process.stdout.isTTY });
  if (!config.rateLimits) logger.warn('RATE_LIMITS is off: nothing limits how often anything can be tried');
  const open = (poolSize: number) =>
    openDatabase({
      url: database.url.reveal(),
      poolSize,
      prepare: database.prepare,
      onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
    });
  // Of the connections of this process one is the feed's.
  await using db = open(Math.max(1, database.poolSize - 1));
  await using feedDb = open(1);
  await using feed = createRevocationFeed({
    db: feedDb,
    onError: (error) => logger.warn({ err: error }, 'revocations cannot be read'),
  });
  await ensureSigningKeys(db, secretKeys);
  await using app = await createAuthApp({ config: { ...config, secretKeys }, db, feed, logger });
  await using _jobs = startJobs(app.jobs, logger);
  const server = await serve({ ...app, host, port, logger });
  logger.info({ port: server.port, baseUrl: config.baseUrl }, 'authorization server is listening');
  logger.info({ signal: await signal }, 'draining');
  await server.drain(drainDeadlineMs);
}

await runServerProcess({
  serve: serveAuth,
  describeProblem: (error) => (error instanceof SecretKeysChanged ? error.message : describeDatabaseProblem(error)),
});
