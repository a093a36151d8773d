import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { toDatabaseError } from '../database-error.ts';
import { MigrationError } from './migration-error.ts';

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
