import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

const epochStatement = statement<readonly [accountId: number], { readonly epoch: number }>(
  'account_sign_in_epoch',
  'SELECT epoch FROM account WHERE id = $1 AND suspended_at IS NULL AND deleted_at IS NULL',
);

/** What a change of the password raises; undefined when nobody may sign in to the account. */
export async function findEpoch(db: Queryable, accountId: number): Promise<number | undefined> {
  const [row] = await db.query(epochStatement, [accountId]);
  return row?.epoch;
}
