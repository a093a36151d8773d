/** Tables in partitions by time, which are dropped when every row has expired (docs/decisions/0025-partitions.md). */
import type { Queryable, Transactional } from '../statement/transaction.ts';
import { LockTimeout } from '../connection/database-error.ts';
import { retention } from './retention.ts';
import { runExclusively } from '../statement/run-exclusively.ts';
import { requireRow, statement } from '../statement/statement.ts';

/** A PostgreSQL interval. */
type Interval = string;

export interface PartitionedTable {
  readonly table: string;
  /** Of a partition. It divides a day. */
  readonly width: Interval;
  /** How far ahead of the present the time of a new row is. */
  readonly newest: Interval;
}

/** All of them. */
export const partitionedTables = {
  /** By the expiry of the key. */
  idempotency_answer: {
    table: 'idempotency_answer',
    width: '3 hours', // as in the function store_idempotency_answer
    newest: retention.idempotency_record.row,
  },
} as const satisfies Record<string, PartitionedTable>;

/** For how long rows that are written have a partition if the job does not run. */
const ahead = '36 hours';
/** How long a partition stays after its end, for transactions that began before it. They are cancelled long before that. */
const grace = '10 minutes';

// Without a first partition, which a migration creates when every server knows partitions, there are none.
const createStatement = statement<readonly [table: string, width: string, newest: string], never>(
  'partitions_create',
  `SELECT create_partitions($1, $2::interval, now() + $3::interval, now() + $3::interval + interval '${ahead}')
    WHERE EXISTS (SELECT 1 FROM table_partition WHERE parent = $1)`,
);

interface Found {
  readonly name: string | null;
}

const detachStatement = statement<readonly [table: string], Found>(
  'partitions_detach',
  `SELECT detach_partition($1, now() - interval '${grace}') AS name`,
);

const dropStatement = statement<readonly [table: string], Found>(
  'partitions_drop',
  'SELECT drop_detached_partition($1) AS name',
);

/**
 * Creates the next partitions and drops those that have ended, in one process at a time. If statements in progress keep a partition, such
 * as those of a backup, it stays until a later run. It makes no difference how long ago the last run was.
 */
export async function maintainPartitions(
  db: Transactional,
  { table, width, newest }: PartitionedTable,
  stopping?: AbortSignal,
): Promise<void> {
  const name = `partitions-${table}`;
  await runExclusively(db, name, async (tx) => void (await tx.query(createStatement, [table, width, newest])));
  const isStopping = () => stopping?.aborted === true;
  for (const step of [detachStatement, dropStatement]) {
    let hasMore = true;
    while (hasMore && !isStopping()) {
      hasMore = false;
      await runExclusively(db, name, async (tx) => {
        hasMore = requireRow(await tx.query(step, [table]), step).name !== null;
      }).catch(ignoreLockTimeout);
    }
  }
}

function ignoreLockTimeout(error: unknown): void {
  if (!(error instanceof LockTimeout)) throw error;
}

const aheadStatement = statement<readonly [table: string, newest: string], { readonly seconds: number | null }>(
  'partitions_ahead',
  `SELECT EXTRACT(EPOCH FROM max(ends_at) - now() - $2::interval)::float8 AS seconds FROM table_partition WHERE parent = $1`,
);

/** For how many seconds from now on rows that are written have a partition. Undefined before the first partition exists. */
export async function readSecondsAhead(
  db: Queryable,
  { table, newest }: PartitionedTable,
): Promise<number | undefined> {
  return requireRow(await db.query(aheadStatement, [table, newest]), aheadStatement).seconds ?? undefined;
}
