import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { applyMigrations, readMigrationStatus } from '@linnet/db/migrations';
import { createLogger } from '@linnet/service/logger';

import type { Config } from './config.ts';
import { CommandError } from './failure.ts';
import { migrationsDirectory } from './migrations-directory.ts';
import { openServiceDatabase } from './start/service-database.ts';
import type { ServiceDatabase } from './start/service-database.ts';

const poolSize = 2;

/**
 * Runs `work` on the database of the service, whether the service runs or not: the embedded
 * PostgreSQL is booted when nobody has done so, brought up to date, and released afterwards.
 * @throws CommandError `migrations-pending` when the operator's server is not up to date.
 */
export async function withDatabase<Result>(config: Config, work: (db: Db) => Promise<Result>): Promise<Result> {
  return await withServer(config, async (server) => {
    await requireMigrations(server);
    await using db = openDatabase({ url: server.url, poolSize, prepare: config.databasePrepare });
    return await work(db);
  });
}

/** As `withDatabase`, but leaves the migrations to `work`. */
export async function withServer<Result>(
  config: Config,
  work: (server: ServiceDatabase) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger({ level: 'error', pretty: process.stderr.isTTY, destination: 'stderr' });
  await using server = await openServiceDatabase(config, logger);
  return await work(server);
}

async function requireMigrations(server: ServiceDatabase): Promise<void> {
  if (server.isEmbedded) {
    await applyMigrations(server.directUrl, migrationsDirectory);
    return;
  }
  const { pending } = await readMigrationStatus(server.directUrl, migrationsDirectory);
  if (pending.length === 0) return;
  throw new CommandError(
    'migrations-pending',
    `The database lacks ${String(pending.length)} migrations. "linnet migrate" applies them.`,
  );
}
