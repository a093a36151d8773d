import type { Queryable } from '@linnet/db/database';

import { filterInBatch, notDeletedFilter } from '../account/account-filter.ts';
import { authorColumns, lateralAccount, toAuthor } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import type { MarkedAccountRow } from '../account/account-view.ts';
import { accountMarks } from '../account/viewer-marks.ts';
import type { Marks } from '../account/viewer-marks.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';

type ListedAccount = AuthorColumns & { readonly followId: number; readonly marks: Marks };
type ListRow = ListedAccount | { readonly [Key in keyof ListedAccount]: null };

interface FollowList {
  readonly name: string;
  readonly table: 'follow' | 'follow_request';
  /** The column that holds the account whose list it is. */
  readonly own: 'followed_id' | 'follower_id';
  readonly other: 'followed_id' | 'follower_id';
  /** The counter in the account whose list it is; requests have none. */
  readonly counter?: string;
}

/**
 * Lists up to this length are counted row by row. The total of a longer list is the account's counter, which may still
 * include deleted accounts until the deletion job has run.
 */
const maxCounted = 3000;

function defineList({ name, table, own, other, counter }: FollowList) {
  const rows = `FROM ${table} i WHERE i.${own} = $4`;
  const filter = filterInBatch(notDeletedFilter, rows, other);
  const source = ({ where }: Pick<Slice, 'where'>) =>
    `SELECT i.id, i.${other} AS other_id ${rows} AND ${where} AND ${filter.isListed}`;
  const count = `(SELECT count(*) FROM (${source({ where: 'true' })}) t)`;
  const isCounted = `listed.${String(counter)} <= ${String(maxCounted)}`;
  const total = counter === undefined ? count : `CASE WHEN ${isCounted} THEN ${count} ELSE listed.${counter} END`;
  const latest = (needed: string) =>
    counter === undefined
      ? 'ALL'
      : `(SELECT CASE WHEN ${isCounted} THEN ${String(maxCounted)} ELSE ${needed} END FROM account listed WHERE id = $4)`;
  return listStatements<readonly [accountId: number, viewer: Viewer], ListRow>({
    name,
    source,
    text: ({ edge, page, hasPreceding, order, needed }) => `
      WITH ${filter.ctes(latest(needed))}, ${edge}
      SELECT ${total} AS total, ${hasPreceding} AS "hasPreceding", i.id AS "followId", ${authorColumns('a')}, ${accountMarks('a', '$5::bigint')} AS marks
      FROM account listed LEFT JOIN LATERAL (${page}) i ON true
      LEFT JOIN ${lateralAccount('i.other_id')} a ON true
      WHERE listed.id = $4 AND listed.deleted_at IS NULL
      ORDER BY i.id ${order}`,
  });
}

const lists = {
  followers: defineList({
    name: 'followers_list',
    table: 'follow',
    own: 'followed_id',
    other: 'follower_id',
    counter: 'followers_count',
  }),
  following: defineList({
    name: 'following_list',
    table: 'follow',
    own: 'follower_id',
    other: 'followed_id',
    counter: 'following_count',
  }),
  requests: defineList({ name: 'follow_requests', table: 'follow_request', own: 'followed_id', other: 'follower_id' }),
};

export type FollowListName = keyof typeof lists;

interface FollowListKey {
  readonly list: FollowListName;
  readonly accountId: number;
  readonly viewer: Viewer;
}

/**
 * Returns a page of an account's followers, of the accounts it follows, or of its follow requests, newest first.
 * `undefined`: the account does not exist.
 */
export async function findFollows(
  db: Queryable,
  { list: name, accountId, viewer }: FollowListKey,
  page: Page,
): Promise<Paged<MarkedAccountRow> | undefined> {
  const found = await findPage(db, lists[name], { page, params: [accountId, viewer], idColumn: 'followId' });
  if (found === undefined) return undefined;
  const paged = toPaged(found, page, (row) => row.followId);
  return { ...paged, items: paged.items.map((row) => ({ ...toAuthor(row), marks: row.marks })) };
}
