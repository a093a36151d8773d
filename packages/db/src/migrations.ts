import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { toDatabaseError } from './database-error.ts';

/** The advisory lock of `prisma migrate deploy`: the two cannot run at the same time. */
const prismaMigrateLock = 72_707_369;
const minServerVersion = 150_000;
/** Migrations and backups take as long as they take, whatever limits the role has for a pooler. */
export const maintenanceOptions =
  '-c TimeZone=UTC -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0';

/** A migration folder in Prisma's layout: `<timestamp>_<name>/migration.sql`. */
interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Lower-case hex SHA-256 of migration.sql, as Prisma records it. */
  readonly checksum: string;
}

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

/** The migrations cannot be applied to this database. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Applies the pending migrations in order and records them in Prisma's table: interchangeable with
 * `prisma migrate deploy`. Several processes may run it at the same time.
 * @param directory The folder `prisma/migrations`.
 * @param only Names of the migrations to apply; all if it is absent.
 * @throws MigrationError if PostgreSQL is too old, or a migration fails, failed before or was edited.
 */
export async function applyMigrations(
  url: string,
  directory: string,
  only?: ReadonlySet<string>,
): Promise<MigrationStatus> {
  const migrations = (await readMigrationFiles(directory)).filter(({ name }) => only?.has(name) !== false);
  return await withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [prismaMigrateLock]);
    await client.query(migrationsTable);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await applyMigration(client, migration);
    return { applied: migrations.map(({ name }) => name), pending: [] };
  });
}

/** Lists the applied and the pending migrations without changing anything. @throws MigrationError */
export async function readMigrationStatus(url: string, directory: string): Promise<MigrationStatus> {
  const migrations = await readMigrationFiles(directory);
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ present: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
    );
    const pending = onlyRow(rows).present ? await findPending(client, migrations) : migrations;
    const pendingNames = pending.map(({ name }) => name);
    return {
      applied: migrations.map(({ name }) => name).filter((name) => !pendingNames.includes(name)),
      pending: pendingNames,
    };
  });
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, options: maintenanceOptions });
  client.on('error', () => undefined); // the failing query reports it
  try {
    await client.connect();
    await requireServerVersion(client);
    return await work(client);
  } catch (error) {
    throw toDatabaseError(error);
  } finally {
    await client.end();
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const { number, version } = onlyRow(rows);
  if (number >= minServerVersion) return;
  throw new MigrationError(`DATABASE_URL: PostgreSQL 15 or newer is required; this server runs ${version}.`);
}

/** For queries that always return one row. */
function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('A query of PostgreSQL’s catalog returned no row.');
  return row;
}

/** Reads the migrations of a folder, in their order. */
export async function readMigrationFiles(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return await Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

interface Recorded {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
  readonly logs: string | null;
}

async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<Recorded>(
    'SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const recorded = new Map(rows.map((row) => [row.migration_name, row]));
  return migrations.filter((migration) => {
    const row = recorded.get(migration.name);
    if (row === undefined || wasInterrupted(row, migration)) return true;
    if (row.finished_at === null) {
      throw new MigrationError(
        `Migration ${migration.name} failed earlier. Repair the database, then run "prisma migrate resolve".`,
      );
    }
    if (row.checksum !== migration.checksum) {
      throw new MigrationError(
        `Migration ${migration.name} was edited after it was applied. Restore the file and add a new migration instead.`,
      );
    }
    return false;
  });
}

/** True if the process that applied it was killed: PostgreSQL has rolled the script back. */
function wasInterrupted(row: Recorded, { sql }: Migration): boolean {
  return row.finished_at === null && row.logs === null && isAtomic(sql);
}

/** True if the script runs as one transaction: it contains no statement that cannot be part of one. */
function isAtomic(sql: string): boolean {
  return !/\bCONCURRENTLY\b/i.test(sql);
}

async function applyMigration(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND rolled_back_at IS NULL',
    [name],
  );
  await client.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, applied_steps_count) VALUES ($1, $2, $3, 0)',
    [id, checksum, name],
  );
  const finish = `UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = '${id}'`;
  try {
    for (const script of isAtomic(sql) ? [`${sql}\n;${finish}`] : [sql, finish]) await client.query(script);
  } catch (error) {
    const logs = error instanceof Error ? error.message : String(error);
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, logs]);
    throw new MigrationError(`Migration ${name} failed: ${logs}`, { cause: error });
  }
}

/** Prisma's definition of its table. */
const migrationsTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  varchar(36)  PRIMARY KEY NOT NULL,
    checksum            varchar(64)  NOT NULL,
    finished_at         timestamptz,
    migration_name      varchar(255) NOT NULL,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz  NOT NULL DEFAULT now(),
    applied_steps_count integer      NOT NULL DEFAULT 0
  )`;
