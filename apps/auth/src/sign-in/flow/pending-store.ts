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
  /** It is suspended, or deleted. */
  readonly isHidden: boolean;
}

const findStatement = statement<readonly [accountId: number], SignInAccount>(
  'account_signing_in',
  `SELECT username, epoch, deleted_at AS "deletedAt", hidden_at IS NOT NULL AS "isHidden" FROM account a
    WHERE id = $1 AND ${isKept('a')}`,
);

/** Returns undefined if nobody can prove to own the account: it was deleted more than 14 days ago. */
export async function findSignInAccount(db: Queryable, accountId: number): Promise<SignInAccount | undefined> {
  const [row] = await db.query(findStatement, [accountId]);
  return row;
}
