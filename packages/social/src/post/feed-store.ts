import type { Queryable } from '@linnet/db/database';
import { requireRow } from '@linnet/db/statement/statement';

import { markedPostsColumns } from '../account/viewer-marks.ts';
import type { ListDefinition } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { ListColumns } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { selectRecentItems } from './feed-recent-sql.ts';
import { reader } from './feed-reader-sql.ts';
import { selectItemsOfMembers, selectMembers } from './feed-sql.ts';
import { countFeed, total } from './feed-total-sql.ts';
import type { Timelines } from './timeline-builder.ts';
import { selectTimelineItems, selectTimelinePage, timelineTotal, timelineUse } from './timeline-page-sql.ts';
import { maxListedPosts, toPostsPage } from './listed-post-row.ts';
import type { PostsPage, ViewedPostColumns } from './listed-post-row.ts';
import { lateralPost, postColumns, repostedAt, selectListed } from './listed-post-sql.ts';

interface FeedRow extends ViewedPostColumns {
  /** Whether the items of the page are among the latest posts and reposts of the whole service. */
  readonly isRecent: boolean;
}

type FeedPage = FeedRow & ListColumns;

const ofRepost = (value: string) => `CASE WHEN i.id <> i.post_id THEN ${value} END`;

const defineFeed = (selectItems: (needed: string) => string): Omit<ListDefinition, 'name'> => ({
  window: maxListedPosts,
  isBounded: true,
  source: ({ where }) => `SELECT * FROM item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectMembers}, ${selectItems(needed)}, ${edge}, listed AS MATERIALIZED (
      SELECT i.id, ${ofRepost('i.account_id')} AS reposted_by, ${ofRepost(repostedAt('i'))} AS reposted_at,
        ${postColumns('p')}
      FROM (${page}) i JOIN ${lateralPost('i.post_id')} p ON true ORDER BY i.id ${order}
    ), ${countFeed}
    SELECT (${total})::int AS total, ${hasPreceding} AS "hasPreceding", found."isRecent", ${markedPostsColumns(reader)}, listed.*
    FROM found CROSS JOIN (${selectListed(reader)}) listed`,
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
  source: ({ where }) => `SELECT id FROM item i WHERE ${where}`,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH ${selectTimelineItems(needed)}, ${edge}, ${selectTimelinePage(page, order)}
    SELECT ${timelineTotal} AS total, ${hasPreceding} AS "hasPreceding", ${timelineUse} AS use, ${markedPostsColumns(reader)}, listed.*
    FROM found CROSS JOIN (${selectListed(reader)}) listed`,
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
export type FindFeed = (db: Queryable, accountId: number, page: Page) => Promise<PostsPage>;

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
