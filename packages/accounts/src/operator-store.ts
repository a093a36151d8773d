/** What only operators change. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

interface Found {
  readonly found: number;
}

const verifyStatement = statement<readonly [usernameCi: string, isVerified: boolean], Found>(
  'account_verify',
  'UPDATE account SET verified = $2 WHERE username_ci = $1 AND deleted_at IS NULL RETURNING 1 AS found',
);

/** False when nobody bears the username, whatever its case. */
export async function setVerified(db: Queryable, username: string, isVerified: boolean): Promise<boolean> {
  return (await db.query(verifyStatement, [username.toLowerCase(), isVerified])).length > 0;
}

const passwordStatement = statement<readonly [usernameCi: string, passwordHash: string], { readonly id: number }>(
  'account_set_password',
  `UPDATE account SET password_hash = $2, epoch = epoch + 1 WHERE username_ci = $1 AND deleted_at IS NULL
   RETURNING id`,
);

/**
 * Ends every session and token of the account too. Gives the id of the account; `undefined`: nobody bears the
 * username, whatever its case.
 */
export async function setPasswordHash(
  db: Queryable,
  username: string,
  passwordHash: string,
): Promise<number | undefined> {
  const [row] = await db.query(passwordStatement, [username.toLowerCase(), passwordHash]);
  return row?.id;
}

const anyStatement = statement<readonly [], Found>('account_any', 'SELECT 1 AS found FROM account LIMIT 1');

/** Whether there is any account, deleted ones included. */
export async function hasAccounts(db: Queryable): Promise<boolean> {
  return (await db.query(anyStatement, [])).length > 0;
}
