import type { Queryable } from '@linnet/db/statement/transaction';

import { accountsFilter, filterInBatch } from '../account/account-filter.ts';
import { authorColumns, lateralAccount, toAuthor } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import type { MarkedAccountRow } from '../account/account-view.ts';
import { accountMarks } from '../account/viewer-marks.ts';
import type { Marks } from '../account/viewer-marks.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';

/** Only the latest 3000 likes and reposts of a post are listed, as with comments (decisions D28). */
export const maxListedReactions = 3000;

type ListedAccount = AuthorColumns & { readonly reactionId: number; readonly marks: Marks };
type ListRow = ListedAccount | { readonly [Key in keyof ListedAccount]: null };

interface ReactionList {
  readonly name: string;
  readonly table: 'post_like' | 'repost';
  /** The post's counter. It still includes hidden accounts until the deletion job has run. */
  readonly counter: 'likes_count' | 'reposts_count';
}

function defineList({ name, table, counter }: ReactionList) {
  const rows = `FROM ${table} i WHERE i.post_id = $4`;
  const filter = filterInBatch(accountsFilter('$5::bigint'), rows, 'account_id');
  const source = ({ where }: Pick<Slice, 'where'>) =>
    `SELECT i.id, i.account_id ${rows} AND ${where} AND ${filter.isListed}`;
  const window = String(maxListedReactions);
  const exceedsWindow = `${counter} >= ${String(2 * maxListedReactions)}`;
  const total = `CASE WHEN p.${exceedsWindow} THEN ${window} ELSE (
    SELECT count(*) FROM (SELECT 1 FROM (${source({ where: 'true' })}) t LIMIT ${window}) counted
  ) END`;
  return listStatements<readonly [postId: number, viewer: Viewer], ListRow>({
    name,
    source,
    window: maxListedReactions,
    text: ({ edge, page, hasPreceding, order, needed }) => `
      WITH ${filter.ctes(`(SELECT CASE WHEN ${exceedsWindow} THEN ${needed} ELSE ${window} END FROM post WHERE id = $4)`)}, ${edge}
      SELECT ${total} AS total, ${hasPreceding} AS "hasPreceding", i.id AS "reactionId", ${authorColumns('a')}, ${accountMarks('a', '$5::bigint')} AS marks
      FROM post p JOIN account author ON author.id = p.author_id LEFT JOIN LATERAL (${page}) i ON true
      LEFT JOIN ${lateralAccount('i.account_id')} a ON true
      WHERE p.id = $4 AND ${visibleTo('$5::bigint', 'author')}
      ORDER BY i.id ${order}`,
  });
}

const lists = {
  likes: defineList({ name: 'likes_of_post', table: 'post_like', counter: 'likes_count' }),
  reposts: defineList({ name: 'reposts_of_post', table: 'repost', counter: 'reposts_count' }),
};

interface ReactionFilter {
  readonly list: keyof typeof lists;
  readonly postId: number;
  readonly viewer: Viewer;
}

/**
 * Returns a page of the accounts that like or reposted a post, the newest reaction first. Anyone who may see the post may see
 * them, protected accounts included, as in lists of followers; but not accounts with a block between them and the viewer. `undefined`: the post does not exist or is hidden from the viewer.
 */
export async function findReactingAccounts(
  db: Queryable,
  { list, postId, viewer }: ReactionFilter,
  page: Page,
): Promise<Paged<MarkedAccountRow> | undefined> {
  const found = await findPage(db, lists[list], { page, params: [postId, viewer], idColumn: 'reactionId' });
  if (found === undefined) return undefined;
  const paged = toPaged(found, page, (row) => row.reactionId);
  return { ...paged, items: paged.items.map((row) => ({ ...toAuthor(row), marks: row.marks })) };
}
