/** SQL for a page of a feed from the timeline of its reader, with what has changed since. */

import { isAuthorMet, isNotHidden, isRestricted, selectMuted } from '../account/visibility.ts';
import { maxListedPosts } from '../list-of-posts/listed-post-row.ts';
import { lateralPost, postColumns } from '../list-of-posts/listed-post-sql.ts';
import { feedReader, selectSilenced, taggedCount } from './feed-sql.ts';

/**
 * SQL about the tables `timeline`, `timeline_change` and `timeline_progress` (docs/decisions/0024-written-timelines.md). A timeline holds the
 * ids of the items of a feed. Every transaction that changes which items a feed has writes a row of `timeline_change`, which stays until
 * the timelines that it concerns agree with the tables. So a timeline, and the changes that the same snapshot shows, say what the feed has.
 */

/** The most ids that `head` holds. With one more, some move to `body`, which is stored apart. */
export const maxHead = 128;
/** Ids that stay in `head` when others move. */
export const keptHead = 64;
/** The most ids that `body` holds. With `head`, they are more than a feed lists, because some may be deleted. */
export const maxBody = 3136;
/** With more changes than this, feeds are computed. */
const maxChanges = 1000;

/** SQL: no change with an id up to this one is left, and none will be committed. */
const doneId = `COALESCE((SELECT max(done_id) FROM timeline_progress), 0)`;

/**
 * SQL: from FROM to the end of WHERE, the changes that are left. Rows that were deleted but are still in the index, as behind a long
 * transaction, are skipped.
 */
export const fromChanges = `FROM timeline_change WHERE id > ${doneId}`;

interface Item {
  /** SQL: the id of the account that posted or reposted it. */
  readonly account: string;
  /** SQL: the id of the author of the post. */
  readonly author: string;
}

/** SQL condition: does `reader` mute neither of the accounts of an item? */
export function isUnmuted(reader: string, { account, author }: Item): string {
  return `NOT EXISTS (${selectMuted(reader)} AND muted_id = ANY (ARRAY[${account}, ${author}]))`;
}

/**
 * SQL condition: does the feed of `reader`, which follows the account of an item or is the same, list it? The feed's own statement
 * (`feed-sql.ts`) decides the same, for many items together.
 */
export function isInFeed(reader: string, item: Item): string {
  return `(${isNotHidden(item.account)} AND ${isAuthorMet(reader, item.author)} AND ${isUnmuted(reader, item)})`;
}

/** SQL: joins the author of the post of the post or repost with this id, as `item.author_id`; NULL: there is none. */
export function joinItem(id: string): string {
  return `CROSS JOIN LATERAL (
    SELECT COALESCE((SELECT author_id FROM post WHERE post.id = ${id}), (SELECT author_id FROM repost WHERE repost.id = ${id})) AS author_id
    OFFSET 0
  ) item`;
}

const window = String(maxListedPosts);
const tooMany = String(maxChanges + 1);

/** SQL condition: does the reader follow the account with this id? A scalar subquery, which finds its row by the key. */
const isFollowed = (id: string) =>
  `(SELECT true FROM follow WHERE follower_id = ${feedReader} AND followed_id = ${id}) IS TRUE`;

// `change` does not depend on the reader, so a statement for several readers reads it once.
const selectChanges = `
  change AS MATERIALIZED (
    SELECT kind, account_id, item_id ${fromChanges} ORDER BY id LIMIT ${tooMany}
  ), mine AS MATERIALIZED (
    SELECT head, body, body_count, whole, head[cardinality(head)] AS last, COALESCE(valid_until > now(), true) AS is_valid, read_on
    FROM timeline WHERE reader_id = ${feedReader}
  ), followed_now AS MATERIALIZED (
    SELECT id FROM (SELECT DISTINCT account_id AS id FROM change WHERE EXISTS (SELECT 1 FROM mine)) changed WHERE ${isFollowed('changed.id')}
  ), concerning AS MATERIALIZED (
    SELECT DISTINCT kind, account_id, item_id FROM change
    WHERE EXISTS (SELECT 1 FROM mine) AND (account_id = ${feedReader} OR kind = 'account'
      OR kind <> 'reader' AND account_id IN (SELECT id FROM followed_now))
  ), edited AS MATERIALIZED (
    SELECT min(id) AS first, COALESCE(array_agg(id ORDER BY id DESC) FILTER (WHERE shown AND NOT listed), '{}') AS added,
      COALESCE(array_agg(id) FILTER (WHERE listed AND NOT shown), '{}') AS removed
    FROM (
      SELECT c.item_id AS id, item.author_id IS NOT NULL AND ${isInFeed(feedReader, { account: 'c.account_id', author: 'item.author_id' })} AS shown,
        c.item_id = ANY (m.head) OR (c.item_id < m.last AND c.item_id = ANY (m.body)) AS listed
      FROM mine m CROSS JOIN concerning c ${joinItem('c.item_id')} WHERE c.kind = 'item' OFFSET 0
    ) c
  )`;

/**
 * SQL: CTEs up to `item`, which holds the ids of the `needed` latest items; `state` has their number (`count`) and says whether the
 * timeline can be used. If not, `item` is empty.
 */
export const selectTimelineItems = (needed: string): string => `
  muted AS MATERIALIZED (SELECT muted_id AS id FROM (${selectMuted(feedReader)}) mute), ${selectChanges}, sized AS MATERIALIZED (
    SELECT m.*, e.*, cardinality(head) + body_count + cardinality(added) - cardinality(removed) AS count, cardinality(added) + cardinality(removed) AS edits,
      (SELECT count(*) FROM change) < ${tooMany} AND NOT EXISTS (SELECT 1 FROM concerning WHERE kind <> 'item') AS is_settled
    FROM mine m CROSS JOIN edited e
  ), state AS MATERIALIZED (
    SELECT sized.*, is_settled AND is_valid AND (whole OR count >= ${window} AND (edits = 0 OR first > last)) AS is_usable FROM sized
  ), item AS MATERIALIZED (
    SELECT unnest((CASE
      WHEN edits = 0 THEN CASE WHEN ${needed} <= cardinality(head) THEN head ELSE head || body END
      WHEN ${needed} + edits <= cardinality(head) AND first > last THEN ARRAY(
        SELECT id FROM unnest(added || head) id WHERE id <> ALL (removed) ORDER BY id DESC
      )
      ELSE ARRAY(SELECT id FROM unnest(added || head || body) id WHERE id <> ALL (removed) ORDER BY id DESC) END)[:(${needed})::int]) AS id
    FROM state WHERE is_usable
  )`;

/**
 * SQL: the CTE `listed` (see `selectListed`) with the posts of `page`, a query of ids; and `found`, which says whether it has all of them. A
 * timeline is never the reason that somebody sees a post: what the feed may not show is left out here, and then another statement reads
 * the page.
 */
export const selectTimelinePage = (page: string, order: string): string => `
  wanted AS MATERIALIZED (${page}), existing AS MATERIALIZED (
    SELECT i.id, NULL::bigint AS reposted_by, NULL::timestamptz AS reposted_at, ${postColumns('p')}
    FROM wanted i JOIN ${lateralPost('i.id')} p ON true
    UNION ALL SELECT i.id, r.account_id, r.created_at, ${postColumns('p')}
    FROM wanted i JOIN LATERAL (SELECT * FROM repost WHERE id = i.id OFFSET 0) r ON true JOIN ${lateralPost('r.post_id')} p ON true
  ), people AS MATERIALIZED (
    SELECT ARRAY(SELECT author_id FROM existing UNION ALL SELECT reposted_by FROM existing WHERE reposted_by IS NOT NULL) AS ids
  ), hidden AS MATERIALIZED (
    SELECT id FROM account a WHERE id = ANY ((SELECT ids FROM people)::bigint[])
      AND ${isRestricted('a')} AND (hidden_at IS NOT NULL OR id <> ${feedReader} AND NOT ${isFollowed('a.id')})
    UNION ALL ${selectSilenced('(SELECT ids FROM people)::bigint[]')}
  ), found AS MATERIALIZED (
    SELECT (SELECT is_usable FROM state) IS TRUE AND (SELECT count(*) FROM existing) = (SELECT count(*) FROM wanted)
      AND NOT EXISTS (SELECT 1 FROM hidden) AS is_complete
  ), listed AS MATERIALIZED (
    SELECT * FROM existing WHERE (SELECT is_complete FROM found) ORDER BY id ${order}
  )`;

/**
 * SQL: how the timeline was used. `read`: the page is from it; `changing`: it will be up to date soon; `missing`: it has to be built;
 * `old`: as `read`, but it must be noted that it is still read.
 */
export const timelineUse = `CASE WHEN found.is_complete THEN (SELECT CASE WHEN read_on < CURRENT_DATE THEN 'old' ELSE 'read' END FROM state)
  WHEN (SELECT NOT is_settled FROM state) THEN 'changing' ELSE 'missing' END`;

/** SQL: the number of items, at most the window. */
export const timelineTotal = `COALESCE((SELECT LEAST(count + ${taggedCount}, ${window}) FROM state), 0)`;
