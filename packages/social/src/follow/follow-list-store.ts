import type { Queryable } from '@linnet/db/database';

import { accountWith, authorColumns, authorOf } from '../account/account-row.ts';
import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { judgedTogether, unlessDeleted } from '../account/judged-together.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-store.ts';
import { pageOf } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';

type ListedAccount = AuthorColumns & { readonly followId: number };
type ListRow = ListedAccount | { readonly [Key in keyof ListedAccount]: null };

interface FollowList {
  readonly name: string;
  readonly table: 'follow' | 'follow_request';
  /** The column that names the account whose list it is. */
  readonly own: 'followed_id' | 'follower_id';
  readonly other: 'followed_id' | 'follower_id';
  /** The counter of the listed account, where it has one. */
  readonly counter?: string;
}

/** Up to this many are counted. Of more, the account's counter tells, which may lag while an account is deleted. */
const counted = 3000;

function list({ name, table, own, other, counter }: FollowList) {
  const others = `FROM ${table} i WHERE i.${own} = $4`;
  const judged = judgedTogether(unlessDeleted, others, other);
  const source = ({ where }: Pick<Slice, 'where'>) =>
    `SELECT i.id, i.${other} AS other_id ${others} AND ${where} AND ${judged.isListed}`;
  const count = `(SELECT count(*) FROM (${source({ where: 'true' })}) t)`;
  const isCounted = `listed.${String(counter)} <= ${String(counted)}`;
  const total = counter === undefined ? count : `CASE WHEN ${isCounted} THEN ${count} ELSE listed.${counter} END`;
  const latest = (needed: string) =>
    counter === undefined
      ? 'ALL'
      : `(SELECT CASE WHEN ${isCounted} THEN ${String(counted)} ELSE ${needed} END FROM account listed WHERE id = $4)`;
  return listStatements<readonly [accountId: number], ListRow>({
    name,
    source,
    text: ({ edge, page, behind, order, needed }) => `
      WITH ${judged.ctes(latest(needed))}, ${edge}
      SELECT ${total} AS total, ${behind} AS behind, i.id AS "followId", ${authorColumns('a')}
      FROM account listed LEFT JOIN LATERAL (${page}) i ON true
      LEFT JOIN ${accountWith('i.other_id')} a ON true
      WHERE listed.id = $4 AND listed.deleted_at IS NULL
      ORDER BY i.id ${order}`,
  });
}

const lists = {
  followers: list({
    name: 'followers_list',
    table: 'follow',
    own: 'followed_id',
    other: 'follower_id',
    counter: 'followers_count',
  }),
  following: list({
    name: 'following_list',
    table: 'follow',
    own: 'follower_id',
    other: 'followed_id',
    counter: 'following_count',
  }),
  requests: list({ name: 'follow_requests', table: 'follow_request', own: 'followed_id', other: 'follower_id' }),
};

export type FollowListName = keyof typeof lists;

/**
 * A page of who follows an account, whom it follows, or who asks to follow it; the newest first; one
 * statement. `undefined`: there is no such account.
 */
export async function findFollows(
  db: Queryable,
  { list: name, accountId }: { readonly list: FollowListName; readonly accountId: number },
  page: Page,
): Promise<Paged<AccountRow> | undefined> {
  const found = await findPage(db, lists[name], { page, params: [accountId], idColumn: 'followId' });
  if (found === undefined) return undefined;
  const paged = pageOf(found, page, (row) => row.followId);
  return { ...paged, items: paged.items.map(authorOf) };
}
