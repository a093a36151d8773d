/** Fills an empty database with the rows of a backup, in one transaction. */

import type { Writable } from 'node:stream';

import { from as copyFrom } from 'pg-copy-streams';
import pg from 'pg';

import { toDatabaseError } from '../connection/database-error.ts';
import { readMigrationFiles } from '../migration/files.ts';
import { applyMigrations } from '../migration/migrations.ts';
import { maintenanceOptions } from '../migration/records.ts';
import { columnList } from './snapshot.ts';
import type { DatabaseShape, TableShape } from './snapshot.ts';

/** The backup cannot be restored into this database, which is unchanged. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
  readonly reason: 'newer-version' | 'database-not-empty' | 'database-newer';

  constructor(reason: RestoreRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Restoration {
  /** Takes the rows of a table in the text format of COPY. Finish it before the next call. */
  writeRows(table: TableShape): Writable;
}

interface RestoreOptions {
  /** URL of the database, not of a pooler. */
  readonly url: string;
  /** The folder `prisma/migrations`. */
  readonly migrations: string;
  readonly shape: DatabaseShape;
  /** Writes the rows of every table. If it throws, the database stays empty. */
  readonly load: (restoration: Restoration) => Promise<void>;
}

/**
 * Applies the migrations of the backup, loads its rows without running triggers, checks every constraint, commits, and
 * applies the migrations that this version has in addition.
 * @throws RestoreRefused, MigrationError, DatabaseUnavailable
 */
export async function restoreDatabase({ url, migrations, shape, load }: RestoreOptions): Promise<void> {
  const failure: { error?: unknown } = {};
  const names = new Set(shape.migrations.map(({ name }) => name));
  await requireKnownMigrations(migrations, shape);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, options: maintenanceOptions });
  client.on('error', () => undefined); // the failing query reports it
  try {
    await client.connect();
    await requireEmpty(client, names);
    await applyMigrations(url, migrations, { only: names });
    await client.query('BEGIN');
    await loadRows(client, shape, async (restoration) => {
      await load(restoration).catch((error: unknown) => {
        failure.error = error;
        throw error;
      });
    });
    await client.query('COMMIT');
    // The planner knows the tables, and index-only scans work, before the first request.
    await client.query('VACUUM (ANALYZE)');
  } catch (error) {
    // What `load` read from files must not pass for an error of the database.
    throw error === failure.error && !(error instanceof pg.DatabaseError) ? error : toDatabaseError(error);
  } finally {
    await client.end();
  }
  await applyMigrations(url, migrations);
}

async function requireKnownMigrations(directory: string, shape: DatabaseShape): Promise<void> {
  const known = new Map((await readMigrationFiles(directory)).map(({ name, checksum }) => [name, checksum]));
  const unknown = shape.migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (unknown === undefined) return;
  throw new RestoreRefused(
    'newer-version',
    `The backup has the migration ${unknown.name}, which this version does not have. Use the version that made the backup, or a newer one.`,
  );
}

/** Tables that have rows as soon as a service has run. */
const firstTables = ['account', 'signing_key', 'audit_event'];

async function requireEmpty(client: pg.Client, expected: ReadonlySet<string>): Promise<void> {
  const present = async (table: string) => {
    const { rows } = await client.query<{ present: boolean }>('SELECT to_regclass($1) IS NOT NULL AS present', [table]);
    return rows[0]?.present === true;
  };
  for (const table of firstTables) {
    if (!(await present(table)) || (await client.query(`SELECT 1 FROM ${table} LIMIT 1`)).rowCount === 0) continue;
    throw new RestoreRefused('database-not-empty', 'The database has data already. Restore into a new database.');
  }
  if (!(await present('_prisma_migrations'))) return;
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const newer = rows.find(({ name }) => !expected.has(name));
  if (newer === undefined) return;
  throw new RestoreRefused(
    'database-newer',
    `The database has the migration ${newer.name}, which is newer than the backup. Restore into a new database.`,
  );
}

/** As the owner of the tables, without the rights of a superuser. */
async function loadRows(client: pg.Client, shape: DatabaseShape, load: RestoreOptions['load']): Promise<void> {
  const tables = shape.tables.map(({ name }) => pg.escapeIdentifier(name));
  const rules = await readRules(client);
  for (const { drop } of rules.foreignKeys) await client.query(drop);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  // Migrations may have inserted rows, which the backup has too.
  await client.query(`TRUNCATE ${tables.join(', ')}`);
  for (const { table, name, from, to } of shape.partitions) {
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${pg.escapeIdentifier(name)} PARTITION OF ${pg.escapeIdentifier(table)}
         FOR VALUES FROM (${pg.escapeLiteral(from)}) TO (${pg.escapeLiteral(to)})`,
    );
  }
  await load({
    writeRows: ({ name, columns }) =>
      client.query(copyFrom(`COPY ${pg.escapeIdentifier(name)} (${columnList(columns)}) FROM STDIN`)),
  });
  for (const { name, last, called } of shape.sequences) {
    await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [pg.escapeIdentifier(name), last, called]);
  }
  for (const { add } of rules.foreignKeys) await client.query(add);
  for (const trigger of rules.triggers) await client.query(trigger);
}

/** What a restore switches off while it loads rows. */
interface Rules {
  readonly foreignKeys: readonly { readonly drop: string; readonly add: string }[];
  /** Statements that bring each trigger back to the state it has now. */
  readonly triggers: readonly string[];
}

/** Reads the foreign keys and triggers of all tables. */
async function readRules(client: pg.Client): Promise<Rules> {
  const { rows: foreignKeys } = await client.query<Rules['foreignKeys'][number]>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
       FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const { rows: triggers } = await client.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s ENABLE%s TRIGGER %I', tgrelid::regclass,
                   CASE tgenabled WHEN 'A' THEN ' ALWAYS' WHEN 'R' THEN ' REPLICA' ELSE '' END, tgname) AS statement
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT tgisinternal AND tgenabled <> 'D' AND c.relnamespace = current_schema()::regnamespace`,
  );
  return { foreignKeys, triggers: triggers.map(({ statement }) => statement) };
}
