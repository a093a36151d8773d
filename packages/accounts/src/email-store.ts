/** Changes that a mailed link makes to an account. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { isKept } from './deletion-period.ts';

export interface ConfirmedEmail {
  readonly accountId: number;
  /** As typed; also stored in lower case for comparison. */
  readonly email: string;
}

const confirmStatement = statement<readonly [accountId: number, email: string], { readonly confirmed: number }>(
  'account_email_confirm',
  `UPDATE account SET email = $2::text, email_ci = lower($2::text), email_verified_at = clock_timestamp()
    WHERE id = $1 AND deleted_at IS NULL RETURNING 1 AS confirmed`,
);

/**
 * Stores a confirmed address. Returns false if the account does not exist.
 * @throws UniqueViolation if another account has the address.
 */
export async function confirmEmail(tx: Queryable, { accountId, email }: ConfirmedEmail): Promise<boolean> {
  return (await tx.query(confirmStatement, [accountId, email])).length > 0;
}

export interface PasswordReplacement {
  readonly accountId: number;
  readonly passwordHash: string;
}

const replaceStatement = statement<readonly [accountId: number, passwordHash: string], { readonly replaced: number }>(
  'account_password_by_link',
  `UPDATE account a SET password_hash = $2, epoch = epoch + 1,
          email_verified_at = COALESCE(email_verified_at, clock_timestamp())
    WHERE id = $1 AND ${isKept('a')} RETURNING 1 AS replaced`,
);

/**
 * Also ends every session and token of the account. A deleted account that can still be restored stays deleted. Returns false
 * if the account does not exist.
 */
export async function replacePasswordByLink(tx: Queryable, replacement: PasswordReplacement): Promise<boolean> {
  const { accountId, passwordHash } = replacement;
  return (await tx.query(replaceStatement, [accountId, passwordHash])).length > 0;
}
