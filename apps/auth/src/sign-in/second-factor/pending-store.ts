import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

const epochStatement = statement<readonly [accountId: number], { readonly epoch: number }>(
  'account_sign_in_epoch',
  'SELECT epoch FROM account WHERE id = $1 AND suspended_at IS NULL AND deleted_at IS NULL',
);

/** A change of the password raises the epoch. Returns undefined if the account is suspended or deleted. */
export async function findEpoch(db: Queryable, accountId: number): Promise<number | undefined> {
  const [row] = await db.query(epochStatement, [accountId]);
  return row?.epoch;
}
