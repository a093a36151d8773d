import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

const resetStatement = statement<readonly [usernameCi: string], { readonly id: number }>(
  'factors_reset',
  `WITH a AS (SELECT id FROM account WHERE username_ci = $1),
        p AS (DELETE FROM passkey WHERE account_id IN (SELECT id FROM a)),
        t AS (DELETE FROM totp WHERE account_id IN (SELECT id FROM a))
   SELECT id FROM a`,
);

/**
 * Deletes every passkey and the authenticator app of an account, for operators: the password alone then signs in.
 * Returns false if no account has the username. Ignores case.
 */
export async function resetFactors(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(resetStatement, [username.toLowerCase()])).length > 0;
}
