import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';
import type { Account } from 'oidc-provider';

/** Finds the person that `sub` names; the provider asks whenever it acts for somebody. */
export type FindSubject = (sub: string) => Promise<Account | undefined>;

const accountById = statement<readonly [id: number], { id: number }>(
  'auth_subject',
  'SELECT id FROM account WHERE id = $1 AND suspended_at IS NULL AND deleted_at IS NULL',
);

/** An account's id is the subject; nothing else about it stands in an ID token. */
export function createFindSubject(db: Pick<Db, 'query'>): FindSubject {
  return async (sub) => {
    if (!/^[1-9]\d{0,15}$/.test(sub)) return undefined;
    const [row] = await db.query(accountById, [Number(sub)]);
    return row === undefined ? undefined : { accountId: sub, claims: () => ({ sub }) };
  };
}
