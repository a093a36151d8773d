import type { Queryable } from '@linnet/db/database';

import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { countFeed, reader, selectFeedItems, total } from './feed-sql.ts';
import { maxListedPosts, toPostsPage } from './listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from './listed-post-row.ts';
import { lateralPost, postColumns, repostedAt, selectListed } from './listed-post-sql.ts';

const ofRepost = (value: string) => `CASE WHEN i.id <> i.post_id THEN ${value} END`;

const statements = listStatements<readonly [accountId: number], ListedPostColumns>({
  name: 'feed',
  window: maxListedPosts,
  isBounded: true,
  sharedBy: ['bigint'],
  // A deep page of somebody who follows thousands takes up to 60 ms.
  maxCalls: 8,
  source: ({ where }) => `SELECT * FROM item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectFeedItems(needed)}, ${edge}, listed AS MATERIALIZED (
      SELECT i.id, ${ofRepost('i.account_id')} AS reposted_by, ${ofRepost(repostedAt('i'))} AS reposted_at,
        ${postColumns('p')}
      FROM (${page}) i JOIN ${lateralPost('i.post_id')} p ON true ORDER BY i.id ${order}
    ), ${countFeed}
    SELECT (${total})::int AS total, ${hasPreceding} AS "hasPreceding", listed.* FROM (${selectListed(reader)}) listed`,
});

/** Returns a page of the posts and reposts of an account and of the accounts it follows, newest first. */
export async function findFeed(db: Queryable, accountId: number, page: Page): Promise<PostsPage> {
  const [row] = await findRows(db, statements, { page, params: [accountId] });
  if (row === undefined) throw new Error('the feed statement returned no row');
  return toPostsPage(row, page);
}
