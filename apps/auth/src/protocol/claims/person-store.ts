import type { Queryable } from '@linnet/db/statement/transaction';
import { lookup } from '@linnet/db/statement/statement';

import { isActiveGrant } from '@linnet/applications/grants/active-grant';

import { isActiveChain } from '../storage/chain-store.ts';
import type { Chain } from '../storage/chain-store.ts';

/** The facts about an account that ID tokens and userinfo can contain. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: string;
  /** The name of the photo; null for the generated one. */
  readonly avatar: string | null;
  /** Seconds since 1970. */
  readonly updatedAt: number;
  readonly email: string;
  readonly emailVerified: boolean;
}

const columns = `a.id, a.username, a.display_name AS "displayName", a.first_name AS "firstName",
          a.last_name AS "lastName", a.language, a.avatar, a.email, a.email_verified_at IS NOT NULL AS "emailVerified",
          floor(EXTRACT(EPOCH FROM COALESCE(a.profile_updated_at, a.created_at)))::float8 AS "updatedAt"`;

const activeStatement = lookup<readonly [id: number], Person>(
  'auth_subject',
  ['bigint'],
  `SELECT ${columns} FROM account a WHERE a.id = $1 AND a.deleted_at IS NULL AND a.suspended_at IS NULL`,
);

/** Undefined for a suspended or deleted account. */
export async function findActivePerson(db: Queryable, accountId: number): Promise<Person | undefined> {
  const [person] = await db.query(activeStatement, [accountId]);
  return person;
}

const byGrantStatement = lookup<readonly [accountId: number, grantId: string, chainId: string | null], Person>(
  'auth_userinfo',
  ['bigint', 'text', 'text'],
  `SELECT ${columns} FROM account a JOIN "grant" g ON g.account_id = a.id
    WHERE a.id = $1 AND g.id = $2 AND ${isActiveGrant('g')} AND ${isActiveChain('$3')}`,
);

/** The account of an access token, if its grant and chain are active. */
export async function findPerson(
  db: Queryable,
  accountId: number,
  { grantId, chainId }: Chain,
): Promise<Person | undefined> {
  const [person] = await db.query(byGrantStatement, [accountId, grantId, chainId ?? null]);
  return person;
}
