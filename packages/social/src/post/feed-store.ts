import type { Queryable } from '@linnet/db/database';

import { accountJson, authorColumns, lateralAccount } from '../account/account-row.ts';
import { isAuthorVisible } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { reader, selectFeedItems } from './feed-sql.ts';
import { lateralPost, lateralRepost, maxListedPosts, selectReposts } from './listed-post-row.ts';
import type { ListedPostRow, NoListedPost } from './listed-post-row.ts';
import { mentionsColumn, postColumns } from './post-row.ts';

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

const statements = listStatements<readonly [accountId: number], ListedPostRow | NoListedPost>({
  name: 'feed',
  window: maxListedPosts,
  isBounded: true,
  source: ({ where }) => `SELECT * FROM item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectFeedItems(needed)}, ${edge}
    SELECT (${total})::int AS total, ${hasPreceding} AS "hasPreceding",
      i.id AS "itemId", r.created_at AS "repostedAt",
      CASE WHEN i.id <> i.post_id THEN (
        SELECT ${accountJson('reposter')} FROM account reposter WHERE reposter.id = i.account_id
      ) END AS reposter,
      ${postColumns('p')}, ${mentionsColumn('p', reader)}, ${authorColumns('a')}
    FROM (SELECT 1) one LEFT JOIN (${page}) i ON true
    LEFT JOIN ${lateralPost('i.post_id')} p ON true
    LEFT JOIN ${lateralRepost('i.account_id')} r ON true
    LEFT JOIN ${lateralAccount('p.author_id')} a ON true
    ORDER BY i.id ${order}`,
});

/** Returns a page of the posts and reposts of an account and of the accounts it follows, newest first. One statement. */
export async function findFeed(db: Queryable, accountId: number, page: Page): Promise<Paged<ListedPostRow>> {
  const found = await findPage(db, statements, { page, params: [accountId], idColumn: 'itemId' });
  if (found === undefined) throw new Error('the feed statement returned no row');
  return toPaged(found, page, (row) => row.itemId);
}
