import { isKept } from '@linnet/accounts/deletion-period';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** An account that somebody is about to sign in to. */
export interface SignInAccount {
  readonly username: string;
  /** A change of the password raises it. */
  readonly epoch: number;
  /** Set for a deleted account that can still be restored. */
  readonly deletedAt: Date | null;
}

const findStatement = statement<readonly [accountId: number], SignInAccount>(
  'account_signing_in',
  `SELECT username, epoch, deleted_at AS "deletedAt" FROM account a
    WHERE id = $1 AND suspended_at IS NULL AND ${isKept('a')}`,
);

/** Returns undefined if nobody can sign in to the account: it is suspended, or was deleted more than 14 days ago. */
export async function findSignInAccount(db: Queryable, accountId: number): Promise<SignInAccount | undefined> {
  const [row] = await db.query(findStatement, [accountId]);
  return row;
}
