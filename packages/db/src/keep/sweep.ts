import type { Transactional } from '../statement/transaction.ts';
import { runExclusively } from '../statement/run-exclusively.ts';
import { requireRow, statement } from '../statement/statement.ts';

/** Rows per transaction, so that locks are short. */
const batch = 1000;

export interface SweptRows {
  /** Quoted if it is a keyword. */
  readonly table: string;
  /** SQL condition of the rows to delete, and an ORDER BY for which there is an index. */
  readonly where: string;
  /** What is assigned instead of deleting the rows, such as `address = NULL`. `where` must not hold afterwards. */
  readonly set?: string;
}

/** Deletes or changes the rows in batches until none is left or `stopping` aborts, in one process at a time. */
export type Sweep = (db: Pick<Transactional, 'transaction'>, stopping?: AbortSignal) => Promise<void>;

/** `name`: of the statement and of the lock. Rows that a transaction has locked stay until the next run. */
export function createSweep(name: string, { table, where, set }: SweptRows): Sweep {
  const change = set === undefined ? `DELETE FROM ${table}` : `UPDATE ${table} SET ${set}`;
  const sweep = statement<readonly [limit: number], { readonly count: number }>(
    `sweep_${name}`,
    `WITH swept AS (
       ${change} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1
     )
     SELECT count(*) AS count FROM swept`,
  );
  return async (db, stopping) => {
    const isStopping = () => stopping?.aborted === true;
    let swept = batch;
    while (swept === batch && !isStopping()) {
      swept = 0;
      await runExclusively(db, `sweep-${name}`, async (tx) => {
        swept = requireRow(await tx.query(sweep, [batch]), sweep).count;
      });
    }
  };
}
