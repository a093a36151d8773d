/**
 * SQL about the tables `timeline`, `timeline_change` and `timeline_progress` (docs/adr/0024-written-timelines.md). A timeline holds the
 * ids of the items of a feed. Every transaction that changes which items a feed has writes a row of `timeline_change`, which stays until
 * the timelines that it concerns agree with the tables. So a timeline, and the changes that the same snapshot shows, say what the feed has.
 */
import { isAuthorVisible, isNotDeleted, selectMuted } from '../account/visibility.ts';

/** The most ids that `head` holds. With one more, some move to `body`, which is stored apart. */
export const maxHead = 128;
/** Ids that stay in `head` when others move. */
export const keptHead = 64;
/** The most ids that `body` holds. With `head`, they are more than a feed lists, because some may be deleted. */
export const maxBody = 3136;
/** With more changes than this, feeds are computed. */
export const maxChanges = 1000;

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
  return `(${isNotDeleted(item.account)} AND ${isAuthorVisible(reader, item.author)} AND ${isUnmuted(reader, item)})`;
}

/** SQL: joins the author of the post of the post or repost with this id, as `item.author_id`; NULL: there is none. */
export function joinItem(id: string): string {
  return `CROSS JOIN LATERAL (
    SELECT COALESCE((SELECT author_id FROM post WHERE post.id = ${id}), (SELECT author_id FROM repost WHERE repost.id = ${id})) AS author_id
    OFFSET 0
  ) item`;
}
