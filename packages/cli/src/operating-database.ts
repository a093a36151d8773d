import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { applyMigrations, migrationsDirectory } from '@linnet/db/migration/migrations';
import { requireMigrations } from '@linnet/db/connection/startup-problem';
import { createLogger } from '@linnet/service/log/logger';
import { version } from '@linnet/service/config/version';

import type { Config } from './config.ts';
import { findInstance } from './instance/instance-lock.ts';
import { openServiceDatabase } from './start/service-database.ts';
import type { ServiceDatabase } from './start/service-database.ts';

const poolSize = 2;

/**
 * Runs `work` on the database of the service, even if the service is not running: starts and migrates the embedded
 * PostgreSQL if necessary, and releases it afterwards.
 * @throws MigrationError if an external server has pending migrations.
 */
export async function withDatabase<Result>(config: Config, work: (db: Db) => Promise<Result>): Promise<Result> {
  return await withServer(config, async (server) => {
    if (server.isEmbedded) await applyMigrations(server.directUrl, migrationsDirectory, { besidePrevious: version });
    else await requireMigrations(server.directUrl, version);
    await using db = openDatabase({ url: server.url, poolSize, ...server.sessions, actor: 'operator' });
    return await work(db);
  });
}

/** Like `withDatabase`, without checking or applying migrations. * @throws CommandError `already-running` if the embedded PostgreSQL belongs to a service on another host
 */
export async function withServer<Result>(
  config: Config,
  work: (server: ServiceDatabase) => Promise<Result>,
): Promise<Result> {
  // Two servers would run on the same files: the embedded PostgreSQL also knows others of its host only.
  if (config.databaseUrl === undefined) await findInstance(config.dataDir);
  const logger = createLogger({ level: 'error', pretty: process.stderr.isTTY, destination: 'stderr' });
  await using server = await openServiceDatabase(
    { ...config, databaseUrl: config.databaseUrl?.reveal(), directUrl: config.directUrl?.reveal() },
    logger,
  );
  return await work(server);
}
