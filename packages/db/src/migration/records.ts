import { randomUUID } from 'node:crypto';

import type pg from 'pg';

import { findConcurrentIndex } from './concurrent-index.ts';
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

/** Finds the migrations to apply. @throws MigrationError if one failed earlier or was edited. */
export async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const records = await readRecords(client);
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
