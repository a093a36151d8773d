/** Changes that only operators make. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { toNameKey } from './names/skeleton.ts';

interface Found {
  readonly found: number;
}

const displayNameStatement = statement<readonly [usernameCi: string], { displayName: string }>(
  'account_display_name',
  'SELECT display_name AS "displayName" FROM account WHERE username_ci = $1 AND deleted_at IS NULL',
);

// Only under the display name that the key belongs to.
const verifyStatement = statement<readonly [usernameCi: string, displayName: string, key: string | null], Found>(
  'account_verify',
  `UPDATE account SET verified = true, display_name_key = $3
   WHERE username_ci = $1 AND display_name = $2 AND deleted_at IS NULL RETURNING 1 AS found`,
);

/** The display name can change between the two statements. */
const maxVerifyAttempts = 5;

/** Returns false if no account has the username. Ignores case. */
export async function verifyAccount(db: Queryable, username: string, attempt = 1): Promise<boolean> {
  const usernameCi = username.toLowerCase();
  const [found] = await db.query(displayNameStatement, [usernameCi]);
  if (found === undefined) return false;
  const key = toNameKey(found.displayName);
  const rows = await db.query(verifyStatement, [usernameCi, found.displayName, key === '' ? null : key]);
  if (rows.length > 0) return true;
  return attempt < maxVerifyAttempts && (await verifyAccount(db, username, attempt + 1));
}

const unverifyStatement = statement<readonly [usernameCi: string], Found>(
  'account_unverify',
  `UPDATE account SET verified = false, display_name_key = NULL WHERE username_ci = $1 AND deleted_at IS NULL
   RETURNING 1 AS found`,
);

/** Returns false if no account has the username. Ignores case. */
export async function unverifyAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(unverifyStatement, [username.toLowerCase()])).length > 0;
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
