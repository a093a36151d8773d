import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

const resetStatement = statement<readonly [usernameCi: string], { readonly id: number }>(
  'factors_reset',
  `WITH a AS (UPDATE account SET epoch = epoch + 1 WHERE username_ci = $1 RETURNING id),
        p AS (DELETE FROM passkey WHERE account_id IN (SELECT id FROM a)),
        t AS (DELETE FROM totp WHERE account_id IN (SELECT id FROM a))
   SELECT id FROM a`,
);

/**
 * Deletes every passkey and the authenticator app of an account and ends its sessions. Ignores case.
 * Returns the account's id, or undefined if no account has the username.
 */
export async function deleteFactors(tx: Queryable, username: string): Promise<number | undefined> {
  const [row] = await tx.query(resetStatement, [username.toLowerCase()]);
  return row?.id;
}
