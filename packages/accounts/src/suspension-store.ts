/**
 * Suspension: it hides the account, blocks sign-in and revokes the tokens that act for the account. And limits: only followers come
 * across what the account posts.
 */
import type { RegistrationMark } from '@linnet/contract/registration-block';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

/** What the person is shown, in characters. */
export const maxSuspensionReason = 500;
/** What the person can say, in characters. */
export const maxAppeal = 2000;

/** SQL: the operator who acts in this transaction; NULL for the command. */
const actingOperator = `NULLIF(current_setting('linnet.operator', true), '')::bigint`;

interface Found {
  readonly found: number;
}

const suspendStatement = statement<readonly [usernameCi: string, reason: string | null], Found>(
  'account_suspend',
  // The higher epoch keeps earlier sessions and tokens revoked after the account is restored. Suspending a deleted account
  // keeps its owner from restoring it.
  `UPDATE account SET suspended_at = COALESCE(suspended_at, now()), suspension_reason = COALESCE($2, suspension_reason),
      suspended_by = CASE WHEN suspended_at IS NULL THEN ${actingOperator} ELSE suspended_by END,
      epoch = epoch + 1
    WHERE username_ci = $1 AND erased_at IS NULL
   RETURNING 1 AS found`,
);

const unsuspendStatement = statement<readonly [usernameCi: string], Found>(
  'account_unsuspend',
  `UPDATE account SET suspended_at = NULL, suspended_by = NULL, suspension_reason = NULL, appeal = NULL, appealed_at = NULL
    WHERE username_ci = $1 AND suspended_at IS NOT NULL AND deleted_at IS NULL
   RETURNING 1 AS found`,
);

const limitStatement = statement<readonly [usernameCi: string, reason: string | null], Found>(
  'account_limit',
  `UPDATE account SET limited_at = now(), limited_by = ${actingOperator},
      limit_reason = COALESCE($2, NULLIF(current_setting('linnet.reason', true), ''))
    WHERE username_ci = $1 AND erased_at IS NULL AND limited_at IS NULL
   RETURNING 1 AS found`,
);

const unlimitStatement = statement<readonly [usernameCi: string], Found>(
  'account_unlimit',
  `UPDATE account SET limited_at = NULL, limited_by = NULL, limit_reason = NULL
    WHERE username_ci = $1 AND limited_at IS NOT NULL
   RETURNING 1 AS found`,
);

/** `reason`: for operators; on a page, that of the act. Returns false if no account has the username, or it is limited. Ignores case. */
export async function limitAccount(db: Queryable, username: string, reason?: string): Promise<boolean> {
  return (await db.query(limitStatement, [username.toLowerCase(), reason ?? null])).length > 0;
}

/** Returns false if no limited account has the username. Ignores case. */
export async function unlimitAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(unlimitStatement, [username.toLowerCase()])).length > 0;
}

/** `reason`: what the person is shown. Returns false if no account has the username. Ignores case. */
export async function suspendAccount(db: Queryable, username: string, reason?: string): Promise<boolean> {
  return (await db.query(suspendStatement, [username.toLowerCase(), reason ?? null])).length > 0;
}

/** Returns false if no suspended account has the username. Ignores case. */
export async function unsuspendAccount(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(unsuspendStatement, [username.toLowerCase()])).length > 0;
}

export interface Suspension {
  readonly suspendedAt: Date;
  /** Null: the operator shows none. */
  readonly reason: string | null;
  readonly appeal: string | null;
  readonly appealedAt: Date | null;
}

const findStatement = statement<readonly [accountId: number], Suspension>(
  'account_suspension',
  `SELECT suspended_at AS "suspendedAt", suspension_reason AS reason, appeal, appealed_at AS "appealedAt"
     FROM account WHERE id = $1 AND suspended_at IS NOT NULL AND erased_at IS NULL`,
);

/** Undefined if the account is not suspended. */
export async function findSuspension(db: Queryable, accountId: number): Promise<Suspension | undefined> {
  const [row] = await db.query(findStatement, [accountId]);
  return row;
}

/** What operators did to an account, and how it came here. */
export interface Moderation {
  readonly limitedAt: Date | null;
  readonly limitReason: string | null;
  /** The usernames of operators who acted on a page; null for the command. */
  readonly limitedBy: string | null;
  readonly suspendedBy: string | null;
  /** The kind of the block that matched the registration. */
  readonly mark: RegistrationMark | null;
  /** Username of the person who invited it; null: none, or erased. */
  readonly invitedBy: string | null;
  /** Accounts that it invited. */
  readonly invited: number;
}

const moderationStatement = statement<readonly [accountId: number], Moderation>(
  'account_moderation',
  `SELECT a.limited_at AS "limitedAt", a.limit_reason AS "limitReason", l.username AS "limitedBy", s.username AS "suspendedBy", a.mark,
          i.username AS "invitedBy", (SELECT count(*) FROM account o WHERE o.invited_by = a.id) AS invited
     FROM account a LEFT JOIN account l ON l.id = a.limited_by LEFT JOIN account s ON s.id = a.suspended_by
     LEFT JOIN account i ON i.id = a.invited_by AND i.erased_at IS NULL WHERE a.id = $1`,
);

export async function findModeration(db: Queryable, accountId: number): Promise<Moderation> {
  return requireRow(await db.query(moderationStatement, [accountId]), moderationStatement);
}

const appealStatement = statement<readonly [accountId: number, text: string], Found>(
  'account_appeal',
  `UPDATE account SET appeal = $2, appealed_at = now()
    WHERE id = $1 AND suspended_at IS NOT NULL AND erased_at IS NULL AND appeal IS NULL
   RETURNING 1 AS found`,
);

/** Stores what the person says to the suspension. Does nothing the second time, or if the account is not suspended. */
export async function appealSuspension(db: Queryable, accountId: number, text: string): Promise<void> {
  await db.query(appealStatement, [accountId, text]);
}
