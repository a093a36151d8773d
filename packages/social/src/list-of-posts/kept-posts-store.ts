import type { Queryable } from '@linnet/db/statement/transaction';

import { filterInBatch, visibilityFilter } from '../account/account-filter.ts';
import { authorColumns, lateralAccount } from '../account/account-row.ts';
import { isOpenTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { lateralPost } from './listed-post-sql.ts';
import { postColumns, viewerColumns } from '../post/post-view.ts';
import type { PostRow } from '../post/post-view.ts';

type KeptPost = PostRow & { readonly keptId: number };
type ListRow = KeptPost | { readonly [Key in keyof KeptPost]: null };

const viewer = '$5::bigint';

/** These lists have no window: all rows are counted, and all pages can be reached. */
function defineList(name: string, table: 'post_like' | 'bookmark') {
  const ofAccount = `FROM ${table} i WHERE i.account_id = $4`;
  const filter = filterInBatch(visibilityFilter(viewer), ofAccount, 'author_id');
  const source = ({ where }: Pick<Slice, 'where'>) =>
    `SELECT i.id, i.post_id ${ofAccount} AND ${where} AND ${filter.isListed}`;
  return listStatements<readonly [accountId: number, viewer: Viewer], ListRow>({
    name,
    source,
    text: ({ edge, page, hasPreceding, order }) => `
      WITH ${filter.ctes('ALL')}, ${edge}
      SELECT (SELECT count(*) FROM (${source({ where: 'true' })}) t) AS total, ${hasPreceding} AS "hasPreceding", i.id AS "keptId",
        ${postColumns('p', viewer)}, ${viewerColumns('p', viewer)}, ${authorColumns('a')}
      FROM account keeper LEFT JOIN LATERAL (${page}) i ON true
      LEFT JOIN ${lateralPost('i.post_id')} p ON true
      LEFT JOIN ${lateralAccount('p.author_id')} a ON true
      WHERE keeper.id = $4 AND keeper.hidden_at IS NULL AND ${isOpenTo(viewer, 'keeper')}
      ORDER BY i.id ${order}`,
  });
}

const lists = { likes: defineList('like_list', 'post_like'), bookmarks: defineList('bookmark_list', 'bookmark') };

interface KeptPosts {
  readonly list: keyof typeof lists;
  readonly accountId: number;
  readonly viewer: Viewer;
}

/**
 * Returns a page of the posts that an account likes or has bookmarked, as far as the viewer may see them, the newest like or
 * bookmark first. `undefined`: the account does not exist, or there is a block between it and the viewer.
 */
export async function findKeptPosts(
  db: Queryable,
  { list, accountId, viewer: reader }: KeptPosts,
  page: Page,
): Promise<Paged<PostRow> | undefined> {
  const found = await findPage(db, lists[list], { page, params: [accountId, reader], idColumn: 'keptId' });
  return found && toPaged(found, page, (row) => row.keptId);
}
