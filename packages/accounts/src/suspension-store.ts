/** Suspension: it blocks sign-in and revokes the tokens that act for the account. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

interface Found {
  readonly found: number;
}

const suspendStatement = statement<readonly [usernameCi: string], Found>(
  'account_suspend',
  // The higher epoch keeps earlier sessions and tokens revoked after the account is restored. Suspending a deleted account
  // keeps its owner from restoring it.
  `UPDATE account SET suspended_at = COALESCE(suspended_at, now()), epoch = epoch + 1
    WHERE username_ci = $1 AND erased_at IS NULL
   RETURNING 1 AS found`,
);

const unsuspendStatement = statement<readonly [usernameCi: string], Found>(
  'account_unsuspend',
  `UPDATE account SET suspended_at = NULL WHERE username_ci = $1 AND suspended_at IS NOT NULL AND deleted_at IS NULL
   RETURNING 1 AS found`,
);

/** Returns false if no account has the username. Ignores case. */
export async function suspendAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(suspendStatement, [username.toLowerCase()])).length > 0;
}

/** Returns false if no suspended account has the username. Ignores case. */
export async function unsuspendAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(unsuspendStatement, [username.toLowerCase()])).length > 0;
}
