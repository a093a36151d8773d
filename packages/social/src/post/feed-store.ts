import type { Queryable } from '@linnet/db/database';

import type { ListDefinition } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { countFeed, reader, selectFeedItems, total } from './feed-sql.ts';
import { maxListedPosts, toPostsPage } from './listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from './listed-post-row.ts';
import { lateralPost, postColumns, repostedAt, selectListed } from './listed-post-sql.ts';

const ofRepost = (value: string) => `CASE WHEN i.id <> i.post_id THEN ${value} END`;

const feed: Omit<ListDefinition, 'name'> = {
  window: maxListedPosts,
  isBounded: true,
  source: ({ where }) => `SELECT * FROM item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectFeedItems(needed)}, ${edge}, listed AS MATERIALIZED (
      SELECT i.id, ${ofRepost('i.account_id')} AS reposted_by, ${ofRepost(repostedAt('i'))} AS reposted_at,
        ${postColumns('p')}
      FROM (${page}) i JOIN ${lateralPost('i.post_id')} p ON true ORDER BY i.id ${order}
    ), ${countFeed}
    SELECT (${total})::int AS total, ${hasPreceding} AS "hasPreceding", listed.* FROM (${selectListed(reader)}) listed`,
};

type FeedParams = readonly [accountId: number];

/** For pages among the latest items, which take a few milliseconds however many accounts the reader follows. */
const shared = listStatements<FeedParams, ListedPostColumns>({
  ...feed,
  name: 'feed',
  sharedBy: ['bigint'],
  maxCalls: 8,
});
const maxShared = 300;
/** For deep pages and cursors, which may take so long that others should not wait for them. */
const alone = listStatements<FeedParams, ListedPostColumns>({ ...feed, name: 'feed_alone' });

/** Returns a page of the posts and reposts of an account and of the accounts it follows, newest first. */
export async function findFeed(db: Queryable, accountId: number, page: Page): Promise<PostsPage> {
  const isDeep = page.from !== 'number' || page.offset + page.fetchLimit > maxShared;
  const [row] = await findRows(db, isDeep ? alone : shared, { page, params: [accountId] });
  if (row === undefined) throw new Error('the feed statement returned no row');
  return toPostsPage(row, page);
}
