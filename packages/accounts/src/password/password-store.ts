import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** A password hash and the account's epoch, read in one statement. */
export interface StoredPassword {
  readonly hash: string;
  readonly epoch: number;
}

const findStatement = statement<readonly [accountId: number], StoredPassword>(
  'account_password',
  'SELECT password_hash AS hash, epoch FROM account WHERE id = $1',
);

export async function findPassword(db: Queryable, accountId: number): Promise<StoredPassword | undefined> {
  const [password] = await db.query(findStatement, [accountId]);
  return password;
}

const replaceStatement = statement<readonly [accountId: number, newHash: string, epoch: number], { replaced: number }>(
  'account_password_replace',
  `UPDATE account SET password_hash = $2, epoch = epoch + 1 WHERE id = $1 AND epoch = $3 RETURNING 1 AS replaced`,
);

/** Replaces the password and raises the epoch. Returns false if another request raised the epoch first. */
export async function replacePassword(
  tx: Queryable,
  { accountId, newHash, epoch }: { readonly accountId: number; readonly newHash: string; readonly epoch: number },
): Promise<boolean> {
  return (await tx.query(replaceStatement, [accountId, newHash, epoch])).length > 0;
}

const raiseStatement = statement<readonly [accountId: number], never>(
  'account_epoch_raise',
  'UPDATE account SET epoch = epoch + 1 WHERE id = $1',
);

/**
 * Ends every session of the account and, within a second, every token that acts for it: a trigger adds the new
 * epoch to the revocation feed in the same transaction.
 */
export async function raiseEpoch(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(raiseStatement, [accountId]);
}
