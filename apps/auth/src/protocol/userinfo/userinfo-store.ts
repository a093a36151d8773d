import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { isActiveGrant } from '@linnet/applications/active-grant';

/** The facts about an account that userinfo can contain. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

const personByGrant = statement<readonly [accountId: number, grantId: string], Person>(
  'auth_userinfo',
  `SELECT a.id, a.username, a.display_name AS "displayName", a.first_name AS "firstName", a.last_name AS "lastName",
          a.language, a.email, a.email_verified_at IS NOT NULL AS "emailVerified"
     FROM account a JOIN "grant" g ON g.account_id = a.id
    WHERE a.id = $1 AND g.id = $2 AND ${isActiveGrant('g')}`,
);

/** The account of an access token, if its grant is active. */
export async function findPerson(db: Queryable, accountId: number, grantId: string): Promise<Person | undefined> {
  const [person] = await db.query(personByGrant, [accountId, grantId]);
  return person;
}
