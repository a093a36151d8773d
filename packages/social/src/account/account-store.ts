import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

const accountExistsById = statement<readonly [number], { one: number }>(
  'account_exists',
  'SELECT 1 AS one FROM account WHERE id = $1 AND deleted_at IS NULL',
);

/** True when the account exists and is not deleted. */
export async function accountExists(db: Queryable, id: number): Promise<boolean> {
  const rows = await db.query(accountExistsById, [id]);
  return rows.length > 0;
}
