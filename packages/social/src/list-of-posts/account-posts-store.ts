import type { Queryable } from '@linnet/db/statement/transaction';
import { toIdList } from '@linnet/db/statement/statement';
import type { IdList } from '@linnet/db/statement/statement';

import { filterInBatch, visibilityFilter } from '../account/account-filter.ts';
import { markedPostsColumns } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { isOpenTo, nobody, selectApproved, visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { firstOf } from '../list/page-sql.ts';
import type { ListDefinition, Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import {
  maxListedPosts,
  toPostsPage,
  isAmong,
  seesOtherQuotes,
  sharedPostColumns,
  toSharedPage,
} from './listed-post-row.ts';
import type { ListedPostColumns, PostsPage, SharedPostColumns } from './listed-post-row.ts';
import { afterAllIds, selectItems, selectListed, selectPosts, selectReposts } from './listed-post-sql.ts';

interface AccountColumns {
  /** Whether the viewer may see posts of the account. */
  readonly visible: boolean;
  /**
   * Whether everybody sees the same, except for viewers behind blocks and those in `seeingMore`: the account is not protected, and the
   * authors of all hidden reposts are known.
   */
  readonly isShared: boolean;
}

interface SharedColumns extends SharedPostColumns, AccountColumns {
  /** The viewers who may see reposts that are hidden from everybody else: they follow the author, or are the author. Null: none. */
  readonly seeingMore: readonly number[] | null;
}

interface Reader {
  /** SQL of the viewer; see `visibleTo`. */
  readonly viewer: string;
  /** The column of `s` that says whether the page is read. */
  readonly isRead: 'visible' | '"isShared"';
  /** SQL: what the statement returns of its viewer or viewers besides the page. `hidden`: query of the authors of hidden reposts. */
  readonly columns: (hidden: string) => string;
}

const window = String(maxListedPosts);

function defineList({ viewer, isRead, columns }: Reader): Pick<ListDefinition, 'source' | 'skip' | 'window' | 'text'> {
  const filter = filterInBatch(visibilityFilter(viewer), 'FROM repost i WHERE i.account_id = $4', 'author_id');
  // A shared page is read only if all that can be on it are among the newest reposts.
  const isListed = isRead === 'visible' ? filter.isListed : filter.isListedAmongNewest;

  const source = (slice: Slice): string => {
    const items = { account: '$4', ...slice };
    return `${selectPosts(items)} UNION ALL ${selectReposts(items, isListed)}`;
  };

  // The counter of the account's own posts is exact, so its reposts are counted only when the posts do not fill the window.
  const postsFillWindow = `posts_count >= ${window}`;
  const allReposts = { account: '$4', where: 'true', order: 'DESC', limit: window } as const;
  const total = `CASE WHEN NOT shown.${isRead} THEN 0 WHEN shown.${postsFillWindow} THEN ${window} ELSE LEAST(${window},
    shown.posts_count + (SELECT count(*) FROM ${selectReposts(allReposts, isListed)} reposted)) END`;

  // Posts and reposts are merged by id, so a page with the latest n items contains no repost older than the nth post.
  const latestOf = (needed: string) => `(SELECT CASE WHEN ${postsFillWindow} THEN ${needed} ELSE ${window} END FROM s)`;
  const filterReposts = (needed: string, skipped: string) => {
    const nth = `(SELECT CASE WHEN ${postsFillWindow} THEN ${postAfterPassed('$4', `${needed} - ${skipped}`)} ELSE 0 END FROM s)`;
    return filter.ctes(latestOf(needed), nth);
  };
  const knowsHidden = (latest: string) => `(${filter.newestCount} < ${latest} OR NOT EXISTS (${filter.excluded}))`;

  return {
    source,
    window: maxListedPosts,
    skip: (offset, read) => skipPosts({ account: '$4', offset, read, isListed }),
    text: ({ edge, start, slice, hasPreceding, order, needed, skipped }) => `
      WITH s AS MATERIALIZED (
        SELECT posts_count, COALESCE(${visibleTo(viewer, 'account')}, false) AS visible
        FROM account WHERE id = $4 AND hidden_at IS NULL AND ${isOpenTo(viewer, 'account')}
      ), ${selectPassed('$4', skipped)}, ${filterReposts(needed, skipped)}, shown AS MATERIALIZED (
        SELECT s.*, visible AND ${knowsHidden(latestOf(needed))} AS "isShared" FROM s
      ), ${edge}, ${start}, listed AS MATERIALIZED (
        SELECT * FROM (${firstOf(selectItems({ account: '$4', ...slice }, isListed), { order })}) l
        WHERE (SELECT ${isRead} FROM shown) ORDER BY id ${order}
      )
      SELECT ${columns(filter.excluded)}, shown.visible, shown."isShared", (${total})::int AS total, ${hasPreceding} AS "hasPreceding", listed.*
      FROM shown CROSS JOIN (${selectListed(viewer)}) listed`,
  };
}

const viewers = '$5::bigint[]';

/** What a reader without an account sees, and so nearly everybody. */
const forEveryone = listStatements<readonly [accountId: number, viewers: IdList], SharedColumns>({
  name: 'post_list',
  sharedBy: ['bigint', 'text'],
  gathersIds: true,
  ...defineList({
    viewer: nobody,
    isRead: '"isShared"',
    columns: (hidden) => `${sharedPostColumns(viewers)}, CASE WHEN shown."isShared" AND EXISTS (${hidden}) THEN (
      SELECT array_agg(id) FROM (${selectApproved(viewers, hidden)}) approved
    ) END AS "seeingMore"`,
  }),
});

type ViewedRow = ListedPostColumns & MarkedPosts & AccountColumns;

const forViewer = listStatements<readonly [accountId: number, viewer: Viewer], ViewedRow>({
  name: 'post_list_for_viewer',
  sharedBy: ['bigint', 'bigint'],
  ...defineList({ viewer: '$5::bigint', isRead: 'visible', columns: () => markedPostsColumns('$5::bigint') }),
});

interface PostList {
  readonly accountId: number;
  readonly viewer: Viewer;
}

/**
 * Returns a page of an account's posts and reposts, newest first. `undefined`: the account does not exist, or there is a block
 * between it and the viewer. `hidden`: it is protected and the viewer is not an approved follower.
 *
 * Most pages are the same for everybody (`shared-page.ts`), and concurrent requests share their row. The page is read for the viewer
 * only if the account is protected, if the viewer blocks anybody or is blocked, or if it may see a repost or quote that others may not.
 */
export async function findPosts(
  db: Queryable,
  { accountId, viewer }: PostList,
  page: Page,
): Promise<PostsPage | 'hidden' | undefined> {
  const ids = toIdList(viewer === null ? [] : [viewer]);
  const [shared] = await findRows(db, forEveryone, { page, params: [accountId, ids] });
  if (shared === undefined) return undefined;
  const seesOther = isAmong(shared.seeingMore, viewer) || seesOtherQuotes(shared, viewer);
  const readsOwn = !shared.isShared || isAmong(shared.behindBlocks, viewer) || seesOther;
  if (!readsOwn) return toSharedPage(shared, page, viewer);
  const [own] = await findRows(db, forViewer, { page, params: [accountId, viewer] });
  if (own === undefined) return undefined;
  return own.visible ? toPostsPage(own, page, { marked: viewer === null ? undefined : own }) : 'hidden';
}

/**
 * SQL that skips the items of an account before a page. Merging posts and reposts costs several times as much as counting posts, and
 * most accounts write more than they repost. So this counts posts, and then goes back by as many items as there are reposts among them.
 */

/** SQL: the CTE `passed` with the id of the `skipped`th post. Without any to skip it is above all ids; 0: there are not so many. */
function selectPassed(account: string, skipped: string): string {
  return `passed AS MATERIALIZED (
    SELECT CASE WHEN ${skipped} = 0 THEN ${afterAllIds} ELSE COALESCE((
      SELECT i.id FROM post i WHERE i.author_id = ${account} ORDER BY i.id DESC OFFSET GREATEST(${skipped} - 1, 0) LIMIT 1
    ), 0) END AS id
  )`;
}

/** SQL: the id of the post that has `count` posts between itself and the one in the CTE `passed`; 0: there are not so many. */
function postAfterPassed(account: string, count: string): string {
  return `COALESCE((SELECT i.id FROM post i WHERE i.author_id = ${account} AND i.id < (SELECT id FROM passed) ORDER BY i.id DESC OFFSET ${count} LIMIT 1), 0)`;
}

interface SkippedPosts {
  readonly account: string;
  readonly offset: string;
  /** SQL: the id of the last item skipped, found by reading all of them. */
  readonly read: string;
  /** SQL condition on the repost `i`; see `filterInBatch`. */
  readonly isListed: string;
}

/** SQL: the id of the last of `offset` items, from the CTE `passed`. Null: there are not so many. */
function skipPosts({ account, offset, read, isListed }: SkippedPosts): string {
  const reposts = {
    account,
    where: 'i.id > (SELECT id FROM passed)',
    order: 'DESC',
    limit: `${offset} / 2 + 1`,
  } as const;
  const back = {
    account,
    where: 'i.id >= (SELECT id FROM passed)',
    order: 'ASC',
    limit: 'reposts.count + 1',
  } as const;
  return `(SELECT CASE WHEN passed.id = 0 OR reposts.count > ${offset} / 2 THEN ${read} ELSE (
      SELECT id FROM (${selectPosts(back)} UNION ALL ${selectReposts(back, isListed)}) i ORDER BY id OFFSET reposts.count LIMIT 1
    ) END
    FROM passed, (SELECT count(*) FROM ${selectReposts(reposts, isListed)} i) reposts)`;
}
