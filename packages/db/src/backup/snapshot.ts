/** Reads a whole database as it was at one moment, for a backup. */
import type { Readable } from 'node:stream';

import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import { toDatabaseError } from '../connection/database-error.ts';
import { maintenanceOptions } from '../migration/records.ts';

/** A table with the columns that a backup contains. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

interface SequencePosition {
  readonly name: string;
  readonly last: string;
  readonly called: boolean;
}

interface AppliedMigration {
  readonly name: string;
  /** Hex SHA-256 of the file. */
  readonly checksum: string;
}

/** A partition of a table, from a time up to another one, as text. */
interface PartitionShape {
  readonly table: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** What a restore needs to know besides the rows. */
export interface DatabaseShape {
  /** Of PostgreSQL. */
  readonly version: string;
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly TableShape[];
  readonly sequences: readonly SequencePosition[];
  readonly partitions: readonly PartitionShape[];
}

/** A transaction that sees the database as it was when it began. */
export interface Snapshot extends AsyncDisposable {
  readonly shape: DatabaseShape;
  /** The rows of a table in the text format of COPY. Read it to its end before the next call. */
  readRows(table: TableShape): Readable;
  /** Up to `limit` values of a text column after `after`, in their order. */
  readNames(
    source: { readonly table: string; readonly column: string },
    after: string,
    limit: number,
  ): Promise<string[]>;
}

interface SnapshotOptions {
  /** URL of the database, not of a pooler. */
  readonly url: string;
  /** Jobs that must not run while it is open (`runExclusively`). Waits until they have finished. */
  readonly pausedJobs: readonly string[];
}

/** @throws DatabaseUnavailable */
export async function openSnapshot({ url, pausedJobs }: SnapshotOptions): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, options: maintenanceOptions });
  client.on('error', () => undefined); // the failing query reports it
  try {
    await client.connect();
    // Before the snapshot, so that it has nothing that a job has removed.
    for (const job of pausedJobs) await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [job]);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return createSnapshot(client, await readShape(client));
  } catch (error) {
    await client.end();
    throw toDatabaseError(error);
  }
}

function createSnapshot(client: pg.Client, shape: DatabaseShape): Snapshot {
  return {
    shape,
    readRows: ({ name, columns }) =>
      // Of a table with partitions, COPY reads only the result of a query.
      client.query(copyTo(`COPY (SELECT ${columnList(columns)} FROM ${pg.escapeIdentifier(name)}) TO STDOUT`)),
    readNames: async ({ table, column }, after, limit) => {
      const field = pg.escapeIdentifier(column);
      const { rows } = await client.query<{ value: string }>(
        `SELECT ${field} AS value FROM ${pg.escapeIdentifier(table)} WHERE ${field} > $1 ORDER BY ${field} LIMIT $2`,
        [after, limit],
      );
      return rows.map(({ value }) => value);
    },
    [Symbol.asyncDispose]: async () => await client.end(),
  };
}

/** Column names for SQL. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}

/** The restore applies the same migrations. Timelines follow from other tables, and are built when they are read. */
const tablesLeftOut = `'_prisma_migrations', 'timeline'`;

async function readShape(client: pg.Client): Promise<DatabaseShape> {
  const { rows: servers } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  const { rows: migrations } = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return {
    version: servers[0]?.version ?? '',
    migrations,
    tables: await readTables(client),
    sequences: await readSequences(client),
    partitions: await readPartitions(client),
  };
}

/**
 * Transaction ids (xid8) mean nothing in another cluster: these columns are left out, and get their default when they are
 * restored, the id of the restoring transaction.
 */
async function readTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relname NOT IN (${tablesLeftOut})
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype
      GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

async function readPartitions(client: pg.Client): Promise<PartitionShape[]> {
  const { rows } = await client.query<PartitionShape>(
    `SELECT parent.relname AS table, part.relname AS name, bounds[1] AS from, bounds[2] AS to
       FROM pg_class part JOIN pg_inherits ON inhrelid = part.oid JOIN pg_class parent ON parent.oid = inhparent
       CROSS JOIN LATERAL regexp_match(pg_get_expr(part.relpartbound, part.oid), $$FROM \\('(.+)'\\) TO \\('(.+)'\\)$$) AS bounds
      WHERE part.relispartition AND part.relkind = 'r' AND part.relnamespace = current_schema()::regnamespace ORDER BY 2`,
  );
  return rows;
}

async function readSequences(client: pg.Client): Promise<SequencePosition[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'`,
  );
  const positions: SequencePosition[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<Omit<SequencePosition, 'name'>>(
      `SELECT last_value::text AS last, is_called AS called FROM ${pg.escapeIdentifier(name)}`,
    );
    for (const position of found) positions.push({ name, ...position });
  }
  return positions;
}
