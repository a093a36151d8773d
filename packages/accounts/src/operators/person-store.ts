import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import { findModeration } from '../suspension-store.ts';
import type { Moderation } from '../suspension-store.ts';

/** An account as operators see it, suspended and deleted ones included. */
export interface PersonFacts extends Moderation {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  readonly isVerified: boolean;
  readonly isProtected: boolean;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  /** What the person was shown. */
  readonly suspensionReason: string | null;
  /** What the person says to it. */
  readonly appeal: string | null;
  readonly appealedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly operatorSince: Date | null;
  readonly posts: number;
  readonly followers: number;
  readonly passkeys: number;
  readonly hasAuthenticatorApp: boolean;
  /** Applications that it owns. */
  readonly applications: number;
}

type OwnFacts = Omit<PersonFacts, keyof Moderation>;

const factsStatement = statement<readonly [accountId: number], OwnFacts>(
  'person_facts',
  `SELECT a.id, a.username, a.display_name AS "displayName", a.email, a.email_verified_at IS NOT NULL AS "isEmailConfirmed",
          a.verified AS "isVerified", a.protected AS "isProtected", a.created_at AS "createdAt", a.suspended_at AS "suspendedAt",
          a.suspension_reason AS "suspensionReason", a.appeal, a.appealed_at AS "appealedAt", a.deleted_at AS "deletedAt",
          a.operator_since AS "operatorSince", a.posts_count AS posts, a.followers_count AS followers,
          (SELECT count(*) FROM passkey k WHERE k.account_id = a.id) AS passkeys,
          EXISTS (SELECT FROM totp t WHERE t.account_id = a.id) AS "hasAuthenticatorApp",
          (SELECT count(*) FROM application p WHERE p.owner_id = a.id) AS applications
     FROM account a WHERE a.id = $1 AND a.erased_at IS NULL`,
);

/** Undefined if there is no such account, or it was erased. */
export async function findPersonFacts(db: Queryable, accountId: number): Promise<PersonFacts | undefined> {
  const [facts] = await db.query(factsStatement, [accountId]);
  return facts && { ...facts, ...(await findModeration(db, accountId)) };
}
