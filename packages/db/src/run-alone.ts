import type { Queryable, Transactional } from './database.ts';
import { statement } from './statement.ts';

const lock = statement<readonly [name: string], { readonly held: boolean }>(
  'run_alone_lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held`,
);

/**
 * Runs `work` in a transaction while no other process runs anything under the same name; answers false,
 * and does nothing, when one does. The lock ends with the transaction, so it cannot outlive its holder
 * and needs no session of its own (poolers). An idle transaction ends after 5 s: long work goes in
 * batches, one call each.
 */
export async function runAlone(
  db: Pick<Transactional, 'transaction'>,
  name: string,
  work: (tx: Queryable) => Promise<void>,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.query(lock, [name]);
    if (row?.held !== true) return false;
    await work(tx);
    return true;
  });
}
