import type { Queryable } from '@linnet/db/database';
import { toIdList } from '@linnet/db/statement';
import type { IdList } from '@linnet/db/statement';

import { filterInBatch, visibilityFilter } from '../account/account-filter.ts';
import { markedPostsColumns } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { isOpenTo, visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { firstOf } from '../list/page-sql.ts';
import type { ListDefinition, Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { maxListedPosts, toPostsPage } from './listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from './listed-post-row.ts';
import { selectItems, selectListed, selectPosts, selectReposts } from './listed-post-sql.ts';
import { hasBlocksIn, sharedPostColumns, toSharedPage } from './shared-page.ts';
import type { SharedPostColumns } from './shared-page.ts';

interface AccountColumns {
  /** Whether the viewer may see posts of the account. */
  readonly visible: boolean;
  /** Whether the account shows all that it has posted and reposted. */
  readonly isComplete: boolean;
}

interface Reader {
  /** SQL of the viewer; see `visibleTo`. */
  readonly viewer: string;
  /** The column of `s` that says whether the page is read. */
  readonly isRead: 'visible' | '"isComplete"';
  /** SQL: what the statement returns of its viewer or viewers besides the page. */
  readonly columns: string;
}

const window = String(maxListedPosts);

function defineList({ viewer, isRead, columns }: Reader): Pick<ListDefinition, 'source' | 'window' | 'text'> {
  const filter = filterInBatch(visibilityFilter(viewer), 'FROM repost i WHERE i.account_id = $4', 'author_id');

  const source = (slice: Slice): string => {
    const items = { account: '$4', ...slice };
    return `${selectPosts(items)} UNION ALL ${selectReposts(items, filter.isListed)}`;
  };

  // The counter of the account's own posts is exact, so its reposts are counted only when the posts do not fill the window.
  const postsFillWindow = `posts_count >= ${window}`;
  const allReposts = { account: '$4', where: 'true', order: 'DESC', limit: window } as const;
  const total = `CASE WHEN NOT shown.${isRead} THEN 0 WHEN shown.${postsFillWindow} THEN ${window} ELSE LEAST(${window},
    shown.posts_count + (SELECT count(*) FROM ${selectReposts(allReposts, filter.isListed)} reposted)) END`;

  // Posts and reposts are merged by id, so a page with the latest n items contains no repost older than the nth post.
  const filterReposts = (needed: string) => {
    const latest = `(SELECT CASE WHEN ${postsFillWindow} THEN ${needed} ELSE ${window} END FROM s)`;
    const oldest = `SELECT id FROM post WHERE author_id = $4 ORDER BY id DESC OFFSET ${latest} LIMIT 1`;
    return filter.ctes(latest, `COALESCE((${oldest}), 0)`);
  };

  return {
    source,
    window: maxListedPosts,
    text: ({ edge, start, slice, hasPreceding, order, needed }) => `
      WITH s AS MATERIALIZED (
        SELECT posts_count, COALESCE(${visibleTo(viewer, 'account')}, false) AS visible
        FROM account WHERE id = $4 AND deleted_at IS NULL AND ${isOpenTo(viewer, 'account')}
      ), ${filterReposts(needed)}, shown AS MATERIALIZED (
        SELECT s.*, visible AND NOT ${filter.excludesAny} AS "isComplete" FROM s
      ), ${edge}, ${start}, listed AS MATERIALIZED (
        SELECT * FROM (${firstOf(selectItems({ account: '$4', ...slice }, filter.isListed), { order })}) l
        WHERE (SELECT ${isRead} FROM shown) ORDER BY id ${order}
      )
      SELECT ${columns}, shown.visible, shown."isComplete", (${total})::int AS total, ${hasPreceding} AS "hasPreceding", listed.*
      FROM shown CROSS JOIN (${selectListed(viewer)}) listed`,
  };
}

/** What a reader without an account sees. If the account shows all that it has posted and reposted, everybody sees that. */
const forEveryone = listStatements<readonly [accountId: number, viewers: IdList], SharedPostColumns & AccountColumns>({
  name: 'post_list',
  sharedBy: ['bigint', 'text'],
  gathersIds: true,
  ...defineList({ viewer: 'NULL::bigint', isRead: '"isComplete"', columns: sharedPostColumns('$5::bigint[]') }),
});

type ViewedRow = ListedPostColumns & MarkedPosts & AccountColumns;

const forViewer = listStatements<readonly [accountId: number, viewer: Viewer], ViewedRow>({
  name: 'post_list_for_viewer',
  sharedBy: ['bigint', 'bigint'],
  ...defineList({ viewer: '$5::bigint', isRead: 'visible', columns: markedPostsColumns('$5::bigint') }),
});

interface PostList {
  readonly accountId: number;
  readonly viewer: Viewer;
}

/**
 * Returns a page of an account's posts and reposts, newest first. `undefined`: the account does not exist, or there is a block
 * between it and the viewer. `hidden`: it is protected and the viewer is not an approved follower.
 *
 * Most pages are the same for everybody (`shared-page.ts`), and concurrent requests share their row. Only if the account is
 * protected, or has reposted posts of a protected one, or if the viewer blocks anybody or is blocked, the page is read for the viewer.
 */
export async function findPosts(
  db: Queryable,
  { accountId, viewer }: PostList,
  page: Page,
): Promise<PostsPage | 'hidden' | undefined> {
  const viewers = toIdList(viewer === null ? [] : [viewer]);
  const [shared] = await findRows(db, forEveryone, { page, params: [accountId, viewers] });
  if (shared === undefined) return undefined;
  if (shared.isComplete && !hasBlocksIn(shared, viewer)) return toSharedPage(shared, page, viewer);
  const [own] = await findRows(db, forViewer, { page, params: [accountId, viewer] });
  if (own === undefined) return undefined;
  return own.visible ? toPostsPage(own, page, { marked: viewer === null ? undefined : own }) : 'hidden';
}
