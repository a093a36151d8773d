/** Changes of applications that only operators make, in a transaction of theirs. */

import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { requireRow, statement } from '@linnet/db/statement/statement';

export interface ApplicationSubject {
  readonly isSuspended: boolean;
  readonly isVerified: boolean;
  readonly hasOwner: boolean;
}

const subjectStatement = statement<readonly [clientId: string], ApplicationSubject>(
  'operator_application',
  `SELECT suspended_at IS NOT NULL AS "isSuspended", verified_at IS NOT NULL AS "isVerified", owner_id IS NOT NULL AS "hasOwner"
     FROM application WHERE client_id = $1 FOR NO KEY UPDATE`,
);

/** The application that an act is about, which nothing else changes until the transaction ends. */
export async function lockApplication(within: Queryable, clientId: string): Promise<ApplicationSubject | undefined> {
  const [subject] = await within.query(subjectStatement, [clientId]);
  return subject;
}

const endStatement = statement<readonly [clientId: string], { readonly found: number }>(
  'application_end_access',
  `WITH ended AS (
     UPDATE "grant" SET revoked_at = now() WHERE client_id = $1 AND kind = 'consent' AND revoked_at IS NULL
   )
   UPDATE application SET epoch = epoch + 1 WHERE client_id = $1 RETURNING 1 AS found`,
);

/** Ends every token of the application and every consent to it. False if there is no such application. */
export async function endApplicationAccess(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(endStatement, [clientId])).length > 0;
}

const adminStatement = statement<readonly [clientId: string, isAllowed: boolean], { readonly found: number }>(
  'application_allow_admin',
  // Tokens that have the scopes end with the permission.
  `UPDATE application SET admin_allowed = $2, epoch = epoch + CASE WHEN $2 THEN 0 ELSE 1 END
    WHERE client_id = $1 AND owner_id IS NOT NULL AND type = 'confidential' RETURNING 1 AS found`,
);

/** Lets an application get the scopes of the admin API, or ends that. False if it is not confidential, or nobody owns it. */
export async function allowAdmin(db: Queryable, clientId: string, isAllowed: boolean): Promise<boolean> {
  return (await db.query(adminStatement, [clientId, isAllowed])).length > 0;
}

/** What is erased here with an account: its grants, and the applications that it owns. */
type Params = readonly [accountId: number, limit: number];

interface Erased {
  readonly erased: number;
}

const erasableAccount = `SELECT id FROM account
  WHERE id = $1 AND erased_at IS NULL AND deleted_at <= now() - interval '${retention.account.deleted}'`;

const eraseGrantsStatement = statement<Params, Erased>(
  'owner_erase_grants',
  `WITH erased AS (
     DELETE FROM "grant" WHERE id IN (
       (SELECT id FROM "grant" WHERE account_id = (${erasableAccount}) LIMIT $2)
       UNION (SELECT g.id FROM application a JOIN "grant" g USING (client_id) WHERE a.owner_id = (${erasableAccount}) LIMIT $2)
     ) RETURNING 1
   ) SELECT count(*) AS erased FROM erased`,
);

const eraseApplicationsStatement = statement<Params, Erased>(
  'owner_erase_applications',
  `WITH erased AS (
     DELETE FROM application WHERE client_id IN (
       SELECT client_id FROM application WHERE owner_id = (${erasableAccount}) LIMIT $2
     ) RETURNING 1
   ) SELECT count(*) AS erased FROM erased`,
);

/** At a time, because foreign keys delete what belongs to an application with it, such as its usage. */
const applicationsAtOnce = 20;

/**
 * Deletes at most `limit` grants of an account whose grace period is over, and as many of others to its applications; or, when
 * no grant is left, some of its applications. Returns how many; 0: nothing is left.
 */
export async function eraseRegistrations(db: Queryable, accountId: number, limit: number): Promise<number> {
  const grants = requireRow(await db.query(eraseGrantsStatement, [accountId, limit]), eraseGrantsStatement).erased;
  if (grants > 0) return grants;
  const rows = await db.query(eraseApplicationsStatement, [accountId, Math.min(limit, applicationsAtOnce)]);
  return requireRow(rows, eraseApplicationsStatement).erased;
}

/** Suspended and paused applications cannot be authorized and get no tokens; their existing tokens are revoked. */
interface Found {
  readonly found: number;
}

const suspendStatement = statement<readonly [clientId: string], Found>(
  'application_suspend',
  // Raising the epoch keeps earlier tokens revoked after the application is restored.
  `UPDATE application SET suspended_at = COALESCE(suspended_at, now()), epoch = epoch + 1 WHERE client_id = $1
   RETURNING 1 AS found`,
);

const restoreStatement = statement<readonly [clientId: string], Found>(
  'application_restore',
  'UPDATE application SET suspended_at = NULL WHERE client_id = $1 RETURNING 1 AS found',
);

/** False if there is no such application. */
export async function suspendApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(suspendStatement, [clientId])).length > 0;
}

/** Lifts the suspension; grants are kept. False if there is no such application. */
export async function restoreApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(restoreStatement, [clientId])).length > 0;
}

const pauseStatement = statement<readonly [clientId: string, ownerId: number], Found>(
  'application_pause',
  `UPDATE application SET paused_at = COALESCE(paused_at, now()), epoch = epoch + 1 WHERE client_id = $1 AND owner_id = $2
   RETURNING 1 AS found`,
);

const resumeStatement = statement<readonly [clientId: string, ownerId: number], Found>(
  'application_resume',
  'UPDATE application SET paused_at = NULL WHERE client_id = $1 AND owner_id = $2 RETURNING 1 AS found',
);

/** A suspension by the owner, independent of the operator's. False if the account does not own the application. */
export async function pauseApplication(db: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await db.query(pauseStatement, [clientId, ownerId])).length > 0;
}

/** Ends the pause, but not a suspension by an operator. False if the account does not own the application. */
export async function resumeApplication(db: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await db.query(resumeStatement, [clientId, ownerId])).length > 0;
}

const registrationsStatement = statement<readonly [clientId: string, perHour: number | null], Found>(
  'application_limit_registrations',
  'UPDATE application SET registrations_per_hour = $2 WHERE client_id = $1 RETURNING 1 AS found',
);

/** How many people the application can register in an hour; null: the limit of all applications. Returns false if there is no such application. */
export async function limitRegistrations(db: Queryable, clientId: string, perHour: number | null): Promise<boolean> {
  return (await db.query(registrationsStatement, [clientId, perHour])).length > 0;
}
