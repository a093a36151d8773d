import type { Accounts } from '@linnet/accounts/accounts';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { defaultDependentsPerBatch } from '../post/post-delete-store.ts';
import {
  moveBatch,
  archiveBatches,
  endMoves,
  findAccountsToArchive,
  findAccountsToRestore,
  restoreBatches,
} from './archive-store.ts';
import { eraseBatch, erasePosts, erasureBatches } from './erasure-store.ts';
import { arePending } from './pending-store.ts';

interface JobDependencies {
  readonly db: Queryable & Transactional;
  readonly accounts: Pick<Accounts, 'findErasable' | 'erase'>;
  /** Deletes at most `limit` grants or applications of an account that is erased. Returns how many. */
  readonly eraseRegistrations: (db: Queryable, accountId: number, limit: number) => Promise<number>;
  /** Checked between batches. */
  readonly stopping?: AbortSignal;
  /** Rows per transaction. */
  readonly batchSize?: number;
  /** Likes, reposts and comments (of each kind) that one transaction deletes with a post. */
  readonly dependentsPerBatch?: number;
}

type Batch = (limit: number) => Promise<number>;

const defaultBatchSize = 500;

/**
 * Archives what hidden accounts did, restores it for accounts that came back, and erases accounts whose 14 days
 * are over. It may stop at any point and run again, also in several processes at once.
 */
export async function processDeletions({
  db,
  accounts,
  eraseRegistrations,
  stopping,
  batchSize = defaultBatchSize,
  dependentsPerBatch = defaultDependentsPerBatch,
}: JobDependencies): Promise<void> {
  if (!(await arePending(db))) return;
  const isStopping = () => stopping?.aborted === true;
  const drain = async (batch: Batch, limit: number) => {
    while (!isStopping() && (await batch(limit)) > 0);
  };
  const archive = async (id: number) => {
    for (const batch of archiveBatches) {
      await drain((limit) => db.transaction((tx) => moveBatch(tx, batch, [id, limit])), batchSize);
    }
  };
  for (const id of await findAccountsToRestore(db)) {
    for (const batch of restoreBatches) {
      await drain((limit) => db.transaction((tx) => moveBatch(tx, batch, [id, limit])), batchSize);
    }
  }
  for (const id of await findAccountsToArchive(db)) await archive(id);
  await endMoves(db);
  for (const id of await accounts.findErasable()) {
    await archive(id);
    await drain((limit) => erasePosts(db, { accountId: id, limit, dependentsPerBatch }), batchSize);
    for (const batch of erasureBatches) await drain((limit) => eraseBatch(db, batch, [id, limit]), batchSize);
    await drain((limit) => eraseRegistrations(db, id, limit), batchSize);
    if (!isStopping()) await accounts.erase(id);
  }
}
