import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

/** An account as operators see it, suspended and deleted ones too. */
export interface PersonFacts {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  readonly isVerified: boolean;
  readonly isProtected: boolean;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly operatorSince: Date | null;
  readonly posts: number;
  readonly followers: number;
  readonly passkeys: number;
  readonly hasAuthenticatorApp: boolean;
  /** Applications that it owns. */
  readonly applications: number;
}

const findStatement = statement<readonly [id: number], PersonFacts>(
  'operator_person',
  `SELECT id, username, display_name AS "displayName", email, email_verified_at IS NOT NULL AS "isEmailConfirmed",
          verified AS "isVerified", protected AS "isProtected", created_at AS "createdAt", suspended_at AS "suspendedAt",
          deleted_at AS "deletedAt", operator_since AS "operatorSince", posts_count AS posts, followers_count AS followers,
          (SELECT count(*)::int FROM passkey WHERE account_id = a.id) AS passkeys,
          EXISTS (SELECT FROM totp WHERE account_id = a.id) AS "hasAuthenticatorApp",
          (SELECT count(*)::int FROM application WHERE owner_id = a.id) AS applications
     FROM account a WHERE id = $1 AND erased_at IS NULL`,
);

/** Undefined if there is no such account, or it was erased. */
export async function findPersonFacts(db: Queryable, accountId: number): Promise<PersonFacts | undefined> {
  const [person] = await db.query(findStatement, [accountId]);
  return person;
}
