/** Changes of applications that only operators make, in a transaction of theirs. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

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
