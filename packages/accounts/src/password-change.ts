import type { Db, Queryable } from '@linnet/db/database';

import { hashPassword, verifyPassword } from './password-hash.ts';
import { findPassword, raiseEpoch, replacePassword } from './password-store.ts';

/** What another room has to do in the same transaction, such as ending the grants of the account. */
export type Alongside = (tx: Queryable) => Promise<void>;

export interface PasswordChange {
  readonly accountId: number;
  readonly current: string;
  readonly next: string;
  readonly alongside?: Alongside;
}

/** Changes a password, which ends every session of the account; false when `current` is not the present one. */
export async function changePassword(db: Db, change: PasswordChange): Promise<boolean> {
  const { accountId, current, next, alongside } = change;
  const stored = await findPassword(db, accountId);
  if (!(await verifyPassword(current, stored?.hash)) || stored === undefined) return false;
  const newHash = await hashPassword(next);
  return await db.transaction(async (tx) => {
    const isReplaced = await replacePassword(tx, { accountId, newHash, epoch: stored.epoch });
    if (isReplaced) await alongside?.(tx);
    return isReplaced;
  });
}

/** Ends every session and token of the account: each holds the epoch that it was begun in. */
export async function bumpEpoch(db: Db, accountId: number, alongside?: Alongside): Promise<void> {
  await db.transaction(async (tx) => {
    await raiseEpoch(tx, accountId);
    await alongside?.(tx);
  });
}
