import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { toDatabaseError } from '../connection/database-error.ts';
import { findConcurrentIndex } from './concurrent-index.ts';
import { isNamedAfter } from './files.ts';
import type { Migration } from './files.ts';
import { MigrationError } from './migration-error.ts';

/** What an operator has found out about a migration that failed. */
export type Resolution = 'applied' | 'rolled-back';

interface Recorded {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
  readonly logs: string | null;
}

/** Creates Prisma's table of applied migrations, as Prisma defines it. */
export async function createRecords(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id                  varchar(36)  PRIMARY KEY NOT NULL,
      checksum            varchar(64)  NOT NULL,
      finished_at         timestamptz,
      migration_name      varchar(255) NOT NULL,
      logs                text,
      rolled_back_at      timestamptz,
      started_at          timestamptz  NOT NULL DEFAULT now(),
      applied_steps_count integer      NOT NULL DEFAULT 0
    )`);
}

/** Reads which migrations were begun and not rolled back, by name. */
async function readRecords(client: pg.Client): Promise<ReadonlyMap<string, Recorded>> {
  const { rows } = await client.query<Recorded>(
    'SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

/**
 * Refuses a database in which a later release has removed what this one needs: it applied a migration of the phase after that is not
 * among `migrations`. The name says so, because this release does not have its script.
 * @throws MigrationError
 */
export async function requireBeforePhaseAfter(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const later = [...(await readRecords(client)).keys()].find((name) => isNamedAfter(name) && !known.has(name));
  if (later === undefined) return;
  throw new MigrationError(
    `DATABASE_URL: a later release has changed this database with "linnet migrate run --phase after" (${later}), and this version cannot serve it. Start servers of that release, or restore the backup from before.`,
    { code: 'database-too-new' },
  );
}

/** Finds the migrations to apply. @throws MigrationError if one failed or was edited, or a development version made the database. */
export async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const records = await readRecords(client);
  refuseDevelopmentVersion(records.keys());
  return migrations.filter((migration) => {
    const row = records.get(migration.name);
    if (row === undefined || wasInterrupted(row, migration)) return true;
    if (row.finished_at === null) {
      throw new MigrationError(
        `Migration ${migration.name} failed earlier${row.logs === null ? '' : ` (${row.logs})`}. Repair the database, then run "linnet migrate resolve ${migration.name}" with --rolled-back or --applied.`,
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

/** Other names of a release that follows are accepted: servers of the previous release start on its database, too. */
function refuseDevelopmentVersion(names: Iterable<string>): void {
  if (!Array.from(names).some((name) => /^\d{14}_/.test(name))) return;
  throw new MigrationError(
    'This database was made by a development version before 1.0.0. Export what you need, delete .data and start again.',
    { code: 'database-too-old' },
  );
}

/** True if the process that applied it was killed: PostgreSQL has rolled the script back, or the index can be built again. */
function wasInterrupted(row: Recorded, { sql }: Migration): boolean {
  return row.finished_at === null && row.logs === null && (isAtomic(sql) || findConcurrentIndex(sql) !== undefined);
}

/** True if the script runs as one transaction: it contains no statement that cannot be part of one. */
export function isAtomic(sql: string): boolean {
  return !/\bCONCURRENTLY\b/i.test(sql);
}

/** Notes that a migration begins. Returns the id of the record. */
export async function recordStart(client: pg.Client, { name, checksum }: Migration): Promise<string> {
  const id = randomUUID();
  await recordRollback(client, name);
  await client.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, applied_steps_count) VALUES ($1, $2, $3, 0)',
    [id, checksum, name],
  );
  return id;
}

/** The statement that records success: part of the transaction of the script, if it has one. */
export function finishStatement(id: string): string {
  return `UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = '${id}'`;
}

export async function recordFailure(client: pg.Client, id: string, message: string): Promise<void> {
  await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, message]);
}

async function recordRollback(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND rolled_back_at IS NULL',
    [name],
  );
}

/**
 * Records how an operator has repaired a migration that failed.
 * @throws MigrationError if it has not failed
 */
export async function recordResolution(client: pg.Client, migration: Migration, outcome: Resolution): Promise<void> {
  const row = (await readRecords(client)).get(migration.name);
  if (row === undefined || row.finished_at !== null) {
    throw new MigrationError(`Migration ${migration.name} has not failed: there is nothing to resolve.`);
  }
  if (outcome === 'rolled-back') await recordRollback(client, migration.name);
  else await client.query(finishStatement(await recordStart(client, migration)));
}

/** The advisory lock of `prisma migrate deploy`: the two cannot run at the same time. */
const prismaMigrateLock = 72_707_369;
const lockPollMs = 100;
const minServerVersion = 150_000;
/** Migrations and backups take as long as they take, whatever limits the role has for a pooler. */
export const maintenanceOptions =
  '-c TimeZone=UTC -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c linnet.actor=operator';

/** Runs `work` on a connection of its own. @throws MigrationError if PostgreSQL is too old; the errors of `toDatabaseError` */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, options: maintenanceOptions });
  client.on('error', () => undefined); // the failing query reports it
  try {
    await client.connect();
    await requireServerVersion(client);
    return await work(client);
  } catch (error) {
    // Its cause can be an error of a script, such as a row that violates a constraint.
    throw error instanceof MigrationError ? error : toDatabaseError(error);
  } finally {
    await client.end();
  }
}

/**
 * Waits until no other process migrates this database; the lock ends with the connection. A statement that waits would have a
 * snapshot, for which `CREATE INDEX CONCURRENTLY` in the other process waits in turn. So this asks again and again.
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
      prismaMigrateLock,
    ]);
    if (onlyRow(rows).held) return;
    await delay(lockPollMs);
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
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('A query of PostgreSQL’s catalog returned no row.');
  return row;
}
