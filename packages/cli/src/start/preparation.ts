import { openDatabase } from '@linnet/db/database';
import { applyMigrations, migrationsDirectory } from '@linnet/db/migration/migrations';
import { choosePoolSize } from '@linnet/db/connection/pool-size';
import { ensureSigningKeys } from '@linnet/keys/key-changes-store';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { version } from '@linnet/service/config/version';
import { findSmtpRisk } from '@linnet/service/process/smtp-safety';

import { environment, readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { describeFailure, logUnexpected } from '../report-failure.ts';
import type { DatabaseToPrepare, PreparationMessage, Settings } from './preparation-messages.ts';
import { listenForStop } from './stop-request.ts';

/**
 * A process that checks the configuration, and the database once the primary has it, and ends. So the primary, which runs as
 * long as the service, does not load what only a start needs.
 */
async function prepare(): Promise<void> {
  // A stop is the primary's business: a migration is not interrupted.
  listenForStop();
  const toPrepare = receiveDatabase();
  const variables = JSON.parse(process.argv[2] ?? '{}') as Readonly<Record<string, string>>; // of `prepare.ts`
  const config = readConfig({ ...environment(), ...variables });
  send({ settings: toSettings(config) });
  const database = await toPrepare;
  if (database !== undefined) send({ poolSize: await prepareDatabase(config, database) });
}

/** Undefined: the primary has ended. */
async function receiveDatabase(): Promise<DatabaseToPrepare | undefined> {
  return await new Promise((resolve) => {
    process.once('message', (database) => resolve(database as DatabaseToPrepare)); // the primary sends nothing else
    process.once('disconnect', () => resolve(undefined));
  });
}

function send(message: PreparationMessage): void {
  if (process.connected) process.send?.(message);
}

function toSettings(config: Config): Settings {
  const { port, host, baseUrl, dataDir, databaseSessions, workers, logLevel, serviceName, drainSeconds } = config;
  const { managementPort, managementHost } = config;
  return {
    ...{ port, host, baseUrl, dataDir, databaseSessions, workers, logLevel, serviceName, drainSeconds },
    ...{ managementPort, managementHost },
    databaseUrl: config.databaseUrl?.reveal(),
    directUrl: config.directUrl?.reveal(),
    risks: [
      ...(config.rateLimits ? [] : ['RATE_LIMITS is off: requests and password attempts are not limited']),
      ...[findSmtpRisk(config) ?? []].flat(),
    ],
  };
}

/** Applies migrations, creates signing keys, checks the time zone. Returns the pool size of each worker. */
async function prepareDatabase(config: Config, database: DatabaseToPrepare): Promise<number> {
  const secretKeys = await resolveSecretKeys(config);
  // No other service has the embedded PostgreSQL, so everything can be applied.
  const scope = database.isEmbedded ? {} : { besidePrevious: version };
  await applyMigrations(database.directUrl, migrationsDirectory, scope);
  await using db = openDatabase({ url: database.url, poolSize: 1, ...database.sessions });
  await ensureSigningKeys(db, secretKeys);
  const share = await choosePoolSize(db, config.workers);
  return config.databasePool ?? share;
}

try {
  await prepare();
} catch (error) {
  const failure = describeFailure(error);
  if (failure.isUnexpected) logUnexpected(error);
  send({ failure });
}
if (process.connected) process.disconnect();
