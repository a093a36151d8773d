import type { Queryable } from '@linnet/db/database';

import { lateralAccount } from '../account/account-row.ts';
import { isAuthorVisible } from '../account/visibility.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { reader, selectFeedItems } from './feed-sql.ts';
import { maxListedPosts, toPostsPage } from './listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from './listed-post-row.ts';
import { lateralPost, postColumns, repostedAt, selectListed, selectReposts } from './listed-post-sql.ts';

const window = String(maxListedPosts);

const memberPosts = `FROM member m, ${lateralAccount('m.id')} a`;

// The accounts' counters of posts are exact, so only reposts are counted row by row, and only when the posts do not fill
// the window. Summing the counters stops when the window is full.
const total = `CASE
  WHEN (SELECT needed FROM size) >= ${window} AND (SELECT count(*) FROM item) >= ${window} THEN ${window}
  WHEN EXISTS (
    SELECT 1 FROM (SELECT sum(a.posts_count) OVER (ROWS UNBOUNDED PRECEDING) AS posts ${memberPosts}) added
    WHERE added.posts >= ${window}
  ) THEN ${window}
  ELSE LEAST(${window}, (SELECT COALESCE(sum(a.posts_count), 0) ${memberPosts}) + (
    SELECT count(*) FROM (
      SELECT 1 FROM member m, LATERAL ${selectReposts({ account: 'm.id', where: 'true', order: 'DESC', limit: window }, isAuthorVisible(reader, 'i.author_id'))} r LIMIT ${window}
    ) counted
  )) END`;

const ofRepost = (value: string) => `CASE WHEN i.id <> i.post_id THEN ${value} END`;

const statements = listStatements<readonly [accountId: number], ListedPostColumns>({
  name: 'feed',
  window: maxListedPosts,
  isBounded: true,
  source: ({ where }) => `SELECT * FROM item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectFeedItems(needed)}, ${edge}, listed AS MATERIALIZED (
      SELECT i.id, ${ofRepost('i.account_id')} AS reposted_by, ${ofRepost(repostedAt('i'))} AS reposted_at,
        ${postColumns('p')}
      FROM (${page}) i JOIN ${lateralPost('i.post_id')} p ON true ORDER BY i.id ${order}
    )
    SELECT (${total})::int AS total, ${hasPreceding} AS "hasPreceding", listed.* FROM (${selectListed(reader)}) listed`,
});

/** Returns a page of the posts and reposts of an account and of the accounts it follows, newest first. One statement. */
export async function findFeed(db: Queryable, accountId: number, page: Page): Promise<PostsPage> {
  const [row] = await findRows(db, statements, { page, params: [accountId] });
  if (row === undefined) throw new Error('the feed statement returned no row');
  return toPostsPage(row, page);
}
