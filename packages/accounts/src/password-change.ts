import type { Queryable, Transactional } from '@linnet/db/database';

import { setPasswordHash } from './operator-store.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { findPassword, raiseEpoch, replacePassword } from './password-store.ts';

/** Work of another room in the same transaction, such as revoking the account's grants. */
export type TransactionStep = (tx: Queryable, accountId: number) => Promise<void>;

export interface PasswordChange {
  readonly accountId: number;
  readonly current: string;
  readonly next: string;
  readonly inTransaction?: TransactionStep;
}

/** Changes a password and ends every session of the account. Returns false if `current` is wrong. */
export async function changePassword(db: Transactional, change: PasswordChange): Promise<boolean> {
  const { accountId, current, next, inTransaction } = change;
  const stored = await findPassword(db, accountId);
  if (!(await verifyPassword(current, stored?.hash)) || stored === undefined) return false;
  const newHash = await hashPassword(next);
  return await db.transaction(async (tx) => {
    const isReplaced = await replacePassword(tx, { accountId, newHash, epoch: stored.epoch });
    if (isReplaced) await inTransaction?.(tx, accountId);
    return isReplaced;
  });
}

export interface PasswordReset {
  /** In any case. */
  readonly username: string;
  readonly password: string;
  readonly inTransaction?: TransactionStep;
}

/** Sets a password without the current one, for operators. Returns false if no account has the username. */
export async function setPassword(
  db: Transactional,
  { username, password, inTransaction }: PasswordReset,
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return await db.transaction(async (tx) => {
    const accountId = await setPasswordHash(tx, username, passwordHash);
    if (accountId === undefined) return false;
    await inTransaction?.(tx, accountId);
    return true;
  });
}

/** Ends every session and token of the account: each carries the epoch of its start, and older epochs are rejected. */
export async function endSessions(
  db: Transactional,
  accountId: number,
  inTransaction?: TransactionStep,
): Promise<void> {
  await db.transaction(async (tx) => {
    await raiseEpoch(tx, accountId);
    await inTransaction?.(tx, accountId);
  });
}
