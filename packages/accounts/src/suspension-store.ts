/** Suspended accounts: nobody signs in to them, and the tokens that act for them end. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

interface Found {
  readonly found: number;
}

const suspendStatement = statement<readonly [usernameCi: string], Found>(
  'account_suspend',
  // A higher epoch: sessions and tokens from before do not come back with the account.
  `UPDATE account SET suspended_at = COALESCE(suspended_at, now()), epoch = epoch + 1
    WHERE username_ci = $1 AND deleted_at IS NULL
   RETURNING 1 AS found`,
);

const unsuspendStatement = statement<readonly [usernameCi: string], Found>(
  'account_unsuspend',
  `UPDATE account SET suspended_at = NULL WHERE username_ci = $1 AND suspended_at IS NOT NULL AND deleted_at IS NULL
   RETURNING 1 AS found`,
);

/** False when nobody bears the username, whatever its case. */
export async function suspendAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(suspendStatement, [username.toLowerCase()])).length > 0;
}

/** Undoes it; false when no suspended account bears the username, whatever its case. */
export async function unsuspendAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(unsuspendStatement, [username.toLowerCase()])).length > 0;
}
