import type { Queryable, Transaction, Transactional } from './transaction.ts';
import { requireRow, statement } from './statement.ts';

const lock = statement<readonly [name: string], { readonly held: boolean }>(
  'run_exclusively_lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held`,
);

/**
 * Runs `work` in a transaction that holds the lock `name`. Returns false without running it if another process holds
 * the lock. The lock ends with the transaction, so it works through poolers and a process that dies cannot keep it.
 * Idle transactions are cancelled after 5 s: split long work into batches, one call each.
 */
export async function runExclusively(
  db: Pick<Transactional, 'transaction'>,
  name: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if (!requireRow(await tx.query(lock, [name]), lock).held) return false;
    await work(tx);
    return true;
  });
}

interface QueueJob {
  readonly name: string;
  /** SQL that is true while the job has something to do. */
  readonly due: string;
}

/** Returns a function that finds the names of those jobs that have something to do, in one statement for all of them. */
export function createDueCheck(db: Queryable, jobs: readonly QueueJob[]): () => Promise<ReadonlySet<string>> {
  const names = jobs.map(({ name, due }) => `CASE WHEN ${due} THEN '${name}' END`);
  const dueStatement = statement<readonly [], { readonly names: readonly string[] }>(
    'jobs_due',
    `SELECT array_remove(ARRAY[${names.join(', ')}]::text[], NULL) AS names`,
  );
  return async () => new Set(requireRow(await db.query(dueStatement, []), dueStatement).names);
}
