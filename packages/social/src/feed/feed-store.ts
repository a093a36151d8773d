import { requireRow } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import { markedPostsColumns } from '../account/viewer-marks.ts';
import { maxListedPosts, toPostsPage } from '../list-of-posts/listed-post-row.ts';
import type { PostsPage, ViewedPostColumns } from '../list-of-posts/listed-post-row.ts';
import { lateralPost, postColumns, repostedAt, selectListed, selectReposts } from '../list-of-posts/listed-post-sql.ts';
import type { ListDefinition } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { ListColumns } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import {
  addTagged,
  feedReader,
  isListedAuthor,
  selectHidden,
  selectItemsOfMembers,
  selectMembers,
  selectRecentItems,
  taggedCount,
} from './feed-sql.ts';
import type { Timelines } from './timeline-build-store.ts';
import { selectTimelineItems, selectTimelinePage, timelineTotal, timelineUse } from './timeline-page-sql.ts';

/** SQL that counts the posts and reposts of a feed. */
const window = String(maxListedPosts);
/** The posts of so many members mostly fill the window. */
const membersCountedFirst = '400';
/** SQL: the sum of the counters of posts of the accounts with these ids. */
const sumPosts = (ids: string) => `(SELECT COALESCE(sum(posts_count), 0) FROM account
      WHERE id = ANY (ARRAY(${ids})) AND hidden_at IS NULL)`;

/** Reposts of the members that are counted together; those of hidden authors are among them. */
const countedTogether = String(2 * maxListedPosts);

/**
 * SQL: the CTEs that `total` reads. The members' counters of posts are exact, so only reposts are counted row by row, and
 * only when the posts do not fill the window. The accounts on the page come first, since those who post most are among
 * them. Nothing is counted if the page is not complete, since it is then read by another statement.
 */
const countFeed = `
  first_posts AS MATERIALIZED (
    SELECT CASE WHEN NOT (SELECT is_complete FROM found) OR (SELECT count(*) FROM item) >= ${window}
      OR ${sumPosts('SELECT account_id FROM item')} >= ${window}
      THEN ${window} ELSE ${sumPosts(`SELECT id FROM followed LIMIT ${membersCountedFirst}`)} END AS count
  ), posts AS MATERIALIZED (
    SELECT CASE WHEN count >= ${window} THEN count ELSE count + ${sumPosts(`SELECT id FROM followed OFFSET ${membersCountedFirst}`)} END AS count
    FROM first_posts
  ), reposted AS MATERIALIZED (
    SELECT COALESCE(array_agg(i.author_id), '{}') AS authors FROM (
      SELECT i.author_id FROM repost i
      WHERE i.account_id = ANY (ARRAY(SELECT id FROM member WHERE (SELECT count FROM posts) < ${window})) LIMIT ${countedTogether}
    ) i
  ), reposts AS MATERIALIZED (
    SELECT cardinality(authors) = ${countedTogether} AS is_part, cardinality(authors) - (
        SELECT count(*) FROM unnest(authors) author
        WHERE author IN (${selectHidden('(SELECT authors FROM reposted)::bigint[]')})
      ) AS count
    FROM reposted
  )`;

/** SQL: the number of posts and reposts in the feed, at most the window. */
const total = `LEAST(${window}, (SELECT count FROM posts) + ${taggedCount} + CASE
  WHEN (SELECT is_part AND count < ${window} FROM reposts) THEN (
    SELECT count(*) FROM (
      SELECT 1 FROM member m, LATERAL ${selectReposts({ account: 'm.id', where: 'true', order: 'DESC', limit: window }, isListedAuthor('i.author_id'))} r LIMIT ${window}
    ) counted
  )
  ELSE (SELECT count FROM reposts) END)`;

interface FeedRow extends ViewedPostColumns {
  /** Whether the items of the page are among the latest posts and reposts of the whole service. */
  readonly isRecent: boolean;
}

type FeedPage = FeedRow & ListColumns;

const computed = { columns: 'account_id, id, post_id, author_id', isFound: '(SELECT is_complete FROM found)' };
const ofTimeline = { columns: 'id', isFound: '(SELECT is_usable FROM state)' };

const ofRepost = (value: string) => `CASE WHEN i.id <> i.post_id THEN ${value} END`;

const defineFeed = (selectItems: (needed: string) => string): Omit<ListDefinition, 'name'> => ({
  window: maxListedPosts,
  isBounded: true,
  source: ({ where }) => `SELECT * FROM listed_item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectMembers}, ${selectItems(needed)}, ${addTagged(needed, computed)}, ${edge}, listed AS MATERIALIZED (
      SELECT i.id, ${ofRepost('i.account_id')} AS reposted_by, ${ofRepost(repostedAt('i'))} AS reposted_at,
        ${postColumns('p')}
      FROM (${page}) i JOIN ${lateralPost('i.post_id')} p ON true ORDER BY i.id ${order}
    ), ${countFeed}
    SELECT (${total})::int AS total, ${hasPreceding} AS "hasPreceding", found."isRecent", ${markedPostsColumns(feedReader)}, listed.*
    FROM found CROSS JOIN (${selectListed(feedReader)}) listed`,
});

interface TimelineRow extends ViewedPostColumns {
  /** Whether the page is from the timeline, and what must be done with that; see `timelineUse`. */
  readonly use: 'read' | 'old' | 'changing' | 'missing';
}

type FeedParams = readonly [accountId: number];
const sharedBy = ['bigint'];

/** For readers who have a timeline. */
const written = listStatements<FeedParams, TimelineRow>({
  name: 'feed_written',
  window: maxListedPosts,
  isBounded: true,
  sharedBy,
  maxCalls: 16,
  source: ({ where }) => `SELECT id FROM listed_item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectTimelineItems(needed)}, ${addTagged(needed, ofTimeline)}, ${edge}, ${selectTimelinePage(page, order)}
    SELECT ${timelineTotal} AS total, ${hasPreceding} AS "hasPreceding", ${timelineUse} AS use, ${markedPostsColumns(feedReader)}, listed.*
    FROM found CROSS JOIN (${selectListed(feedReader)}) listed`,
});

interface FeedQuery {
  readonly page: Page;
  readonly params: FeedParams;
}

/** For pages whose items are among the latest of the whole service. Of others it returns only that they are not. */
const recent = listStatements<FeedParams, FeedRow>({
  ...defineFeed(selectRecentItems),
  name: 'feed_recent',
  sharedBy,
  maxCalls: 16,
});
/** For other first pages, which take a few milliseconds however many accounts the reader follows. */
const shared = listStatements<FeedParams, FeedRow>({
  ...defineFeed(selectItemsOfMembers),
  name: 'feed',
  sharedBy,
  maxCalls: 8,
});
const maxShared = 300;
/** For deep pages and cursors, which may take so long that others should not wait for them. */
const alone = listStatements<FeedParams, FeedRow>({ ...defineFeed(selectItemsOfMembers), name: 'feed_alone' });

/** Of so many readers it is remembered at most that their items are not among the latest of the service. */
const maxQuietReaders = 10_000;

/** Returns a page of the posts and reposts of an account and of the accounts it follows, newest first. */
type FindFeed = (db: Queryable, accountId: number, page: Page) => Promise<PostsPage>;

/**
 * With `timelines`, a page is read from the timeline of its reader if there is one, and computed if not. What this remembers of
 * readers decides only which statement is tried first, never what it returns.
 */
export function createFeed(timelines?: Timelines): FindFeed {
  const compute = createComputedFeed();
  if (timelines === undefined) return compute;
  return async (db, accountId, page) => {
    const found = requireRow(await findRows(db, written, { page, params: [accountId] }), written[page.from]);
    if (found.use === 'missing') timelines.missing(accountId);
    if (found.use === 'old') timelines.old(accountId);
    return found.use === 'missing' || found.use === 'changing'
      ? await compute(db, accountId, page)
      : toPostsPage(found, page, { marked: found });
  };
}

/** Feeds that are found among the posts and reposts of all whom the reader follows. */
function createComputedFeed(): FindFeed {
  const quietReaders = new Set<number>();

  async function findIn(db: Queryable, statements: typeof recent, { page, params }: FeedQuery): Promise<FeedPage> {
    const row = requireRow(await findRows(db, statements, { page, params }), statements.number);
    const [accountId] = params;
    if (row.isRecent) quietReaders.delete(accountId);
    else if (quietReaders.size < maxQuietReaders) quietReaders.add(accountId);
    else quietReaders.clear();
    return row;
  }

  return async (db, accountId, page) => {
    const query: FeedQuery = { page, params: [accountId] };
    const isDeep = page.from !== 'number' || page.offset + page.fetchLimit > maxShared;
    if (isDeep) return toOwnPage(requireRow(await findRows(db, alone, query), alone[page.from]), page);
    const first = quietReaders.has(accountId) ? undefined : await findIn(db, recent, query);
    return toOwnPage(first?.isRecent === true ? first : await findIn(db, shared, query), page);
  };
}

function toOwnPage(found: FeedPage, page: Page): PostsPage {
  return toPostsPage(found, page, { marked: found });
}
