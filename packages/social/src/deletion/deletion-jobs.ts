import type { Accounts } from '@linnet/accounts/accounts';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { defaultDependentsPerBatch } from '../post/post-delete-store.ts';
import {
  archiveBatches,
  arePending,
  endMoves,
  findAccountsToArchive,
  findAccountsToRestore,
  moveBatch,
  restoreBatches,
} from './archive-store.ts';
import { eraseBatch, erasePosts, erasureBatches } from './erasure-store.ts';

interface ErasureDependencies {
  readonly db: Queryable & Transactional;
  readonly accounts: Pick<Accounts, 'erase'>;
  /** Deletes at most `limit` grants or applications of an account that is erased. Returns how many. */
  readonly eraseRegistrations: (db: Queryable, accountId: number, limit: number) => Promise<number>;
  /** Checked between batches. */
  readonly stopping?: AbortSignal;
  /** Rows per transaction. */
  readonly batchSize?: number;
  /** Likes, reposts and comments (of each kind) that one transaction deletes with a post. */
  readonly dependentsPerBatch?: number;
}

interface JobDependencies extends ErasureDependencies {
  readonly accounts: Pick<Accounts, 'findErasable' | 'erase'>;
}

type Batch = (limit: number) => Promise<number>;

const defaultBatchSize = 500;

/** Runs batches until nothing is left. */
function createRuns({
  db,
  stopping,
  batchSize = defaultBatchSize,
}: Pick<JobDependencies, 'db' | 'stopping' | 'batchSize'>) {
  const isStopping = () => stopping?.aborted === true;
  const drain = async (batch: Batch) => {
    while (!isStopping() && (await batch(batchSize)) > 0);
  };
  const move = async (id: number, batches: typeof archiveBatches) => {
    for (const batch of batches) await drain((limit) => db.transaction((tx) => moveBatch(tx, batch, [id, limit])));
  };
  return { isStopping, drain, move };
}

/**
 * Archives what hidden accounts did, restores it for accounts that came back, and erases accounts whose 14 days
 * are over. It may stop at any point and run again, also in several processes at once.
 */
export async function processDeletions({ accounts, ...erasure }: JobDependencies): Promise<void> {
  const { db } = erasure;
  if (!(await arePending(db))) return;
  const { move } = createRuns(erasure);
  for (const id of await findAccountsToRestore(db)) await move(id, restoreBatches);
  for (const id of await findAccountsToArchive(db)) await move(id, archiveBatches);
  await endMoves(db);
  for (const id of await accounts.findErasable()) await eraseNow({ ...erasure, accounts }, id);
}

/** Erases an account whose 14 days are over, or that an operator deleted for good. */
export async function eraseNow(
  { accounts, dependentsPerBatch = defaultDependentsPerBatch, eraseRegistrations, ...erasure }: ErasureDependencies,
  id: number,
): Promise<void> {
  const { db } = erasure;
  const { isStopping, drain, move } = createRuns(erasure);
  await move(id, archiveBatches);
  await drain((limit) => erasePosts(db, { accountId: id, state: 'deleted', limit, dependentsPerBatch }));
  for (const batch of erasureBatches) await drain((limit) => eraseBatch(db, batch, [id, limit]));
  await drain((limit) => eraseRegistrations(db, id, limit));
  if (!isStopping()) await accounts.erase(id);
}
