import type { Db, Queryable } from '@linnet/db/database';

import { setPasswordHash } from './operator-store.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { findPassword, raiseEpoch, replacePassword } from './password-store.ts';

/** What another room has to do in the same transaction, such as ending the grants of the account. */
export type Alongside = (tx: Queryable, accountId: number) => Promise<void>;

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
    if (isReplaced) await alongside?.(tx, accountId);
    return isReplaced;
  });
}

export interface PasswordReset {
  /** Whatever its case. */
  readonly username: string;
  readonly password: string;
  readonly alongside?: Alongside;
}

/** Gives an account another password whatever its present one, for operators; false when nobody bears the username. */
export async function setPassword(db: Db, { username, password, alongside }: PasswordReset): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return await db.transaction(async (tx) => {
    const accountId = await setPasswordHash(tx, username, passwordHash);
    if (accountId === undefined) return false;
    await alongside?.(tx, accountId);
    return true;
  });
}

/** Ends every session and token of the account: each holds the epoch that it was begun in. */
export async function bumpEpoch(db: Db, accountId: number, alongside?: Alongside): Promise<void> {
  await db.transaction(async (tx) => {
    await raiseEpoch(tx, accountId);
    await alongside?.(tx, accountId);
  });
}
