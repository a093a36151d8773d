import type { Accounts } from '@linnet/accounts/accounts';
import type { Transactional } from '@linnet/db/database';

import { eraseBatch, erasePosts, erasureBatches } from './erasure-store.ts';
import { usualMarksAtOnce } from '../post/mark-removal-store.ts';
import { findLeaving, findReturning, moveBatch, putBackBatches, setAsideBatches } from './set-aside-store.ts';

interface JobDependencies {
  readonly db: Transactional;
  readonly accounts: Pick<Accounts, 'findErasable' | 'erase'>;
  /** Looked at between batches. */
  readonly stopping?: AbortSignal;
  /** Rows of one transaction. */
  readonly batchSize?: number;
  /** Of each kind, that are taken off a post in one transaction. */
  readonly marksAtOnce?: number;
}

type Batch = (limit: number) => Promise<number>;

const usualBatchSize = 500;

/**
 * Works off what deleted and restored accounts have to do with others, then erases those whose 14 days
 * are over. It may end at any time and be run again; runs beside each other do no harm.
 */
export async function workOffDeletions({
  db,
  accounts,
  stopping,
  batchSize = usualBatchSize,
  marksAtOnce = usualMarksAtOnce,
}: JobDependencies): Promise<void> {
  const isStopping = () => stopping?.aborted === true;
  const drain = async (batch: Batch, limit: number) => {
    while (!isStopping() && (await batch(limit)) > 0);
  };
  const setAside = async (id: number) => {
    for (const batch of setAsideBatches) {
      await drain((limit) => db.transaction((tx) => moveBatch(tx, batch, [id, limit])), batchSize);
    }
  };
  for (const id of await findReturning(db)) {
    for (const batch of putBackBatches) {
      await drain((limit) => db.transaction((tx) => moveBatch(tx, batch, [id, limit])), batchSize);
    }
  }
  // After those that return: what came back of follows of a deleted account is set aside as that one's.
  for (const id of await findLeaving(db)) await setAside(id);
  for (const id of await accounts.findErasable()) {
    await setAside(id);
    await drain((limit) => erasePosts(db, { accountId: id, limit, marksAtOnce }), batchSize);
    for (const batch of erasureBatches) await drain((limit) => eraseBatch(db, batch, [id, limit]), batchSize);
    if (!isStopping()) await accounts.erase(id);
  }
}
