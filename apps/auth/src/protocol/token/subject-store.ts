import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';
import type { Account } from 'oidc-provider';

/** Finds the account of a `sub` claim for the provider. */
export type FindSubject = (sub: string) => Promise<Account | undefined>;

const accountById = statement<readonly [id: number], { id: number }>(
  'auth_subject',
  'SELECT id FROM account WHERE id = $1 AND suspended_at IS NULL AND deleted_at IS NULL',
);

/** The subject is the account's id; an ID token contains no other fact about the account. */
export function createFindSubject(db: Pick<Db, 'query'>): FindSubject {
  return async (sub) => {
    if (!/^[1-9]\d{0,15}$/.test(sub)) return undefined;
    const [row] = await db.query(accountById, [Number(sub)]);
    return row === undefined ? undefined : { accountId: sub, claims: () => ({ sub }) };
  };
}

const usernameById = statement<readonly [id: number], { username: string }>(
  'auth_username',
  'SELECT username FROM account WHERE id = $1 AND suspended_at IS NULL AND deleted_at IS NULL',
);

/** The username of an account; undefined if it is suspended or deleted. */
export async function findUsername(db: Pick<Db, 'query'>, accountId: number): Promise<string | undefined> {
  const [row] = await db.query(usernameById, [accountId]);
  return row?.username;
}
