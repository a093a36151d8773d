/** Who is an operator, and whether their factors let them act. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** SQL condition: the account `a` has a second factor. */
export const hasFactor = `(EXISTS (SELECT FROM passkey p WHERE p.account_id = a.id) OR EXISTS (SELECT FROM totp t WHERE t.account_id = a.id))`;

/** A factor that was added after the role was given: anyone who knows the password can add a factor (decisions D122). */
const hasNewFactor = `(EXISTS (SELECT FROM passkey p WHERE p.account_id = a.id AND p.created_at > a.operator_since)
   OR EXISTS (SELECT FROM totp t WHERE t.account_id = a.id AND t.created_at > a.operator_since))`;

/** SQL condition: the account `a` may act as an operator. */
export const mayOperate = `(a.operator_since IS NOT NULL AND a.hidden_at IS NULL
   AND ${hasFactor} AND NOT ${hasNewFactor})`;

/** What an operator still needs: `none` of the factors is there, or one is `new`. */
export interface OperatorStanding {
  readonly factors: 'none' | 'new' | 'known';
}

const standingStatement = statement<readonly [accountId: number], OperatorStanding>(
  'operator_standing',
  `SELECT CASE WHEN NOT ${hasFactor} THEN 'none' WHEN ${hasNewFactor} THEN 'new' ELSE 'known' END AS factors
     FROM account a WHERE a.id = $1 AND a.operator_since IS NOT NULL AND a.hidden_at IS NULL`,
);

/** Undefined if the account is no operator. */
export async function findOperatorStanding(db: Queryable, accountId: number): Promise<OperatorStanding | undefined> {
  const [standing] = await db.query(standingStatement, [accountId]);
  return standing;
}

const grantStatement = statement<readonly [usernameCi: string], { readonly isGranted: boolean }>(
  'operator_grant',
  `WITH found AS (
     SELECT a.id, ${hasFactor} AND a.suspended_at IS NULL AS able FROM account a
      WHERE a.username_ci = $1 AND a.deleted_at IS NULL FOR NO KEY UPDATE
   ), granted AS (
     UPDATE account SET operator_since = now() WHERE id IN (SELECT id FROM found WHERE able) RETURNING id
   )
   SELECT EXISTS (SELECT FROM granted) AS "isGranted" FROM found`,
);

/**
 * Makes an account an operator, with the factors that it has now. `refused`: it has none, or is suspended. Ignores
 * case. Undefined if no account has the username.
 */
export async function grantOperator(db: Queryable, username: string): Promise<'granted' | 'refused' | undefined> {
  const [found] = await db.query(grantStatement, [username.toLowerCase()]);
  if (found === undefined) return undefined;
  return found.isGranted ? 'granted' : 'refused';
}

const revokeStatement = statement<readonly [usernameCi: string], { readonly found: number }>(
  'operator_revoke',
  'UPDATE account SET operator_since = NULL WHERE username_ci = $1 AND deleted_at IS NULL RETURNING 1 AS found',
);

/** Ends the role at once. Returns false if no account has the username. Ignores case. */
export async function revokeOperator(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(revokeStatement, [username.toLowerCase()])).length > 0;
}
