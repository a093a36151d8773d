/** Changes that only operators make. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

interface Found {
  readonly found: number;
}

const verifyStatement = statement<readonly [usernameCi: string, isVerified: boolean], Found>(
  'account_verify',
  'UPDATE account SET verified = $2 WHERE username_ci = $1 AND deleted_at IS NULL RETURNING 1 AS found',
);

/** Returns false if no account has the username. Ignores case. */
export async function setVerified(db: Queryable, username: string, isVerified: boolean): Promise<boolean> {
  return (await db.query(verifyStatement, [username.toLowerCase(), isVerified])).length > 0;
}

const passwordStatement = statement<readonly [usernameCi: string, passwordHash: string], { readonly id: number }>(
  'account_set_password',
  `UPDATE account SET password_hash = $2, epoch = epoch + 1 WHERE username_ci = $1 AND deleted_at IS NULL
   RETURNING id`,
);

/**
 * Sets a password hash and ends every session and token of the account. Returns the account's id, or `undefined`
 * if no account has the username. Ignores case.
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

/** True if the table holds any account, deleted ones included. */
export async function hasAccounts(db: Queryable): Promise<boolean> {
  return (await db.query(anyStatement, [])).length > 0;
}
