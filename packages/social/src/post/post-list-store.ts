import type { Queryable } from '@linnet/db/database';

import { filterInBatch, visibilityFilter } from '../account/account-filter.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import type { Page } from '../list/page.ts';
import { maxListedPosts, toPostsPage } from './listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from './listed-post-row.ts';
import { listedPosts, selectListed, selectPosts, selectReposts } from './listed-post-sql.ts';

interface ListRow extends ListedPostColumns {
  /** Whether the viewer may see posts of the account. */
  readonly visible: boolean;
}

const viewer = '$5::bigint';

const filter = filterInBatch(visibilityFilter(viewer), 'FROM repost i WHERE i.account_id = $4', 'author_id');

function source(slice: Slice): string {
  const items = { account: '$4', ...slice };
  return `${selectPosts(items)} UNION ALL ${selectReposts(items, filter.isListed)}`;
}

const window = String(maxListedPosts);

// The counter of the account's own posts is exact, so its reposts are counted only when the posts do not fill the window.
const postsFillWindow = `posts_count >= ${window}`;
const total = `CASE WHEN NOT s.visible THEN 0 WHEN s.${postsFillWindow} THEN ${window} ELSE LEAST(${window},
  s.posts_count + (SELECT count(*) FROM ${selectReposts({ account: '$4', where: 'true', order: 'DESC', limit: window }, filter.isListed)} reposted)) END`;

// Posts and reposts are merged by id, so a page with the latest n items contains no repost older than the nth post.
const filterReposts = (needed: string) => {
  const latest = `(SELECT CASE WHEN ${postsFillWindow} THEN ${needed} ELSE ${window} END FROM s)`;
  return filter.ctes(
    latest,
    `COALESCE((SELECT id FROM post WHERE author_id = $4 ORDER BY id DESC OFFSET ${latest} LIMIT 1), 0)`,
  );
};

const posts = listStatements<readonly [accountId: number, viewer: Viewer], ListRow>({
  name: 'post_list',
  source,
  window: maxListedPosts,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH s AS MATERIALIZED (
      SELECT account.*, COALESCE(${visibleTo(viewer, 'account')}, false) AS visible
      FROM account WHERE id = $4 AND deleted_at IS NULL
    ), ${filterReposts(needed)}, ${edge}, ${listedPosts({ page: `SELECT * FROM (${page}) l WHERE (SELECT visible FROM s)`, order, listedBy: '$4::bigint' })}
    SELECT s.visible, ${total} AS total, ${hasPreceding} AS "hasPreceding", listed.*
    FROM s CROSS JOIN (${selectListed(viewer)}) listed`,
});

/**
 * Returns a page of an account's posts and reposts, newest first. `undefined`: the account does not exist. `hidden`: it
 * is protected and the viewer is not an approved follower.
 */
export async function findPosts(
  db: Queryable,
  { accountId, viewer: reader }: { readonly accountId: number; readonly viewer: Viewer },
  page: Page,
): Promise<PostsPage | 'hidden' | undefined> {
  const [row] = await findRows(db, posts, { page, params: [accountId, reader] });
  if (row === undefined) return undefined;
  return row.visible ? toPostsPage(row, page) : 'hidden';
}
