import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { isLockConflict, lockTimeoutMs } from './apply.ts';
import { MigrationError } from './migration-error.ts';

/** A change of all rows of a table, in batches: a row of `data_migration`. */
interface DataMigration {
  readonly name: string;
  readonly statement: string;
  readonly table_name: string;
  readonly key_column: string;
  readonly batch_size: number;
}

/** How far it has come. */
export interface DataMigrationProgress {
  readonly name: string;
  /** The batches up to this key are committed. */
  readonly lastKey: number | null;
  readonly rows: number;
  readonly finished: boolean;
}

/** Rows of a batch are locked for about this time: requests that wait for one give up after 1.5 s. */
const targetMs = 300;

/** Lists the data migrations. Empty as long as there is no table. */
export async function readProgress(client: pg.Client): Promise<DataMigrationProgress[]> {
  if (!(await hasTable(client))) return [];
  const { rows } = await client.query<DataMigrationProgress>(
    `SELECT name, last_key::float8 AS "lastKey", rows::float8 AS rows, finished_at IS NOT NULL AS finished
       FROM data_migration ORDER BY name`,
  );
  return rows;
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('data_migration') IS NOT NULL AS present`,
  );
  return rows[0]?.present === true;
}

/**
 * Runs the unfinished data migrations. Each batch and its progress are one transaction, so a run that is killed continues after the
 * last batch. After each batch it pauses for as long as the batch took.
 * @throws MigrationError if a statement fails; the batches before it stay committed
 */
export async function runDataMigrations(client: pg.Client): Promise<void> {
  if (!(await hasTable(client))) return;
  const { rows } = await client.query<DataMigration>(
    'SELECT name, statement, table_name, key_column, batch_size FROM data_migration WHERE finished_at IS NULL ORDER BY name',
  );
  for (const migration of rows) await runBatches(client, migration);
}

async function runBatches(client: pg.Client, migration: DataMigration): Promise<void> {
  let size = migration.batch_size;
  for (;;) {
    const startedAt = performance.now();
    const result = await runBatch(client, migration, size).catch(async (error: unknown) => {
      await client.query('ROLLBACK');
      if (isLockConflict(error)) return 'conflict';
      const reason = error instanceof Error ? error.message : String(error);
      throw new MigrationError(`Data migration ${migration.name} stopped: ${reason}`, { cause: error });
    });
    if (result === 'finished') return;
    const tookMs = performance.now() - startedAt;
    if (result === 'conflict' || tookMs > targetMs) size = Math.max(1, Math.floor(size / 2));
    else if (tookMs < targetMs / 2) size = Math.min(2 * size, migration.batch_size);
    await delay(tookMs);
  }
}

async function runBatch(client: pg.Client, migration: DataMigration, size: number): Promise<'batch' | 'finished'> {
  const key = pg.escapeIdentifier(migration.key_column);
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = ${String(lockTimeoutMs)}`);
  const { rows } = await client.query<{ after: string; through: string | null }>(
    `SELECT after, (SELECT max(key) FROM
              (SELECT ${key} AS key FROM ${pg.escapeIdentifier(migration.table_name)}
                WHERE ${key} > after ORDER BY ${key} LIMIT $2) AS batch) AS through
       FROM (SELECT coalesce(last_key, -9223372036854775808) AS after FROM data_migration WHERE name = $1 FOR UPDATE) AS progress`,
    [migration.name, size],
  );
  const [range] = rows;
  const through = range?.through ?? undefined;
  if (range === undefined || through === undefined) {
    await client.query('UPDATE data_migration SET finished_at = now() WHERE name = $1', [migration.name]);
  } else {
    const { rowCount } = await client.query(migration.statement, [range.after, through]);
    await client.query('UPDATE data_migration SET last_key = $2, rows = rows + $3 WHERE name = $1', [
      migration.name,
      through,
      rowCount ?? 0,
    ]);
  }
  await client.query('COMMIT');
  return through === undefined ? 'finished' : 'batch';
}
