import { accountRecord, lateralAccount } from '../account/account-row.ts';
import { isAuthorVisible, isNotBlocked, isRestricted, quotedTo } from '../account/visibility.ts';
import type { Slice } from '../list/page-sql.ts';
import { cardsByPost } from '../link-card/link-card-view.ts';
import { postMediaRecords } from '../media/media-row.ts';

/**
 * SQL: one row with `ListedPostColumns`, from the CTE `listed`. It holds the items of a page: `id`, `reposted_by` and
 * `reposted_at` (NULL: the item is a post), and `postColumns`. Lists instead of rows take a third of the time in
 * PostgreSQL and here.
 */
export function selectListed(viewer: string): string {
  const ofReposts = 'FILTER (WHERE reposted_by IS NOT NULL)';
  const restricted = `FILTER (WHERE commenters <> 'everyone')`;
  const ofEdited = 'FILTER (WHERE version_id IS NOT NULL)';
  const withMedia =
    'ARRAY(SELECT post_id FROM listed WHERE has_media UNION ALL SELECT id FROM quoted WHERE has_media AND available)';
  return `WITH quoted AS MATERIALIZED (
      SELECT l.post_id AS quoting_id, q.id, q.author_id, q.has_media, q.mention_ids, q.sensitive, COALESCE(q.version_id, q.id) AS version_id,
        COALESCE(${quotedTo(viewer, 'a', 'l.author_id')}, false) AS available, ${isRestricted('a')} AND a.hidden_at IS NULL AS varies
      FROM listed l, ${lateralPost('l.quote_id')} q, ${lateralAccount('q.author_id')} a WHERE l.quote_id IS NOT NULL
    )
    SELECT lists.*, mentioned.*,
      (${postMediaRecords(withMedia, viewer)}) AS media, (${cardsByPost('listed')}) AS cards, (
        SELECT json_object_agg(l.post_id, CASE WHEN q.available THEN json_build_object('id', q.id, 'versionId', q.version_id, 'sensitive', q.sensitive) END)
        FROM listed l LEFT JOIN quoted q ON q.quoting_id = l.post_id WHERE l.quote_id IS NOT NULL
      ) AS quotes, (SELECT bool_or(varies) FROM quoted) AS "quotesVary"
    FROM (
      SELECT array_agg(id) AS "itemIds", array_agg(likes_count) AS "likesCounts",
        array_agg(comments_count) AS "commentsCounts", array_agg(reposts_count) AS "repostsCounts",
        array_agg(id) ${restricted} AS "restrictedIds", array_agg(commenters::text) ${restricted} AS restrictions,
        array_agg(id) FILTER (WHERE sensitive) AS "sensitiveIds",
        array_agg(id) ${ofReposts} AS "repostIds", array_agg(post_id) ${ofReposts} AS "repostedIds",
        array_agg(reposted_by) ${ofReposts} AS "reposterIds",
        array_agg(post_id) ${ofEdited} AS "editedIds", array_agg(version_id) ${ofEdited} AS "versionIds",
        array_agg((extract(epoch FROM reposted_at) * 1000)::bigint) ${ofReposts} AS "repostTimes"
      FROM listed
    ) lists CROSS JOIN (
      SELECT json_agg(${accountRecord('a')}) FILTER (WHERE visible) AS accounts,
        array_agg(id) FILTER (WHERE NOT visible) AS "hiddenIds"
      FROM (
        SELECT a.*, (a.block_epoch = 0 OR ${isNotBlocked(viewer, 'a.id')}) AND (NOT a.protected OR ${isAuthorVisible(viewer, 'a.id')}) AS visible FROM account a
        WHERE a.hidden_at IS NULL AND a.id = ANY (ARRAY(
          SELECT author_id FROM listed UNION ALL SELECT reposted_by FROM listed WHERE reposted_by IS NOT NULL
          UNION ALL SELECT unnest(mention_ids) FROM listed WHERE mention_ids IS NOT NULL
          UNION ALL SELECT unnest(author_id || mention_ids) FROM quoted WHERE available
        ))
      ) a
    ) mentioned`;
}

/** SQL: what an item is built from besides the parts of its version. */
export function postColumns(alias: string): string {
  const counters = ['likes_count', 'comments_count', 'reposts_count', 'bookmarks_count'];
  const columns = [
    'author_id',
    ...counters,
    'has_media',
    'mention_ids',
    'commenters',
    'sensitive',
    'version_id',
    'card_id',
    'quote_id',
  ];
  return [`${alias}.id AS post_id`, ...columns.map((column) => `${alias}.${column}`)].join(', ');
}

export const afterAllIds = String(2 ** 53);
/**
 * SQL condition that holds for every id. The planner takes a range with one end for a third of the table, and one with two
 * ends for little. So it uses the index even when no page of the table counts as visible to all.
 */
export const isAnyId = (id: string) => `${id} < ${afterAllIds}`;

interface ItemsSql extends Slice {
  /** SQL of the account's id. */
  readonly account: string;
}

// Both kinds come from their index in order, so that PostgreSQL stops reading when a LIMIT is reached. Posts and reposts
// take their ids from one ascending sequence: an item is a repost if its id differs from the id of its post.

/** SQL: an account's own posts as list items; `columns` of the table `i`. */
export function selectPosts(
  { account, where, order, limit }: ItemsSql,
  columns = 'i.id, i.id AS post_id, i.author_id',
): string {
  return `(SELECT ${columns} FROM post i WHERE i.author_id = ${account} AND ${where}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/** SQL: an account's reposts as list items; `isListed`: SQL condition on `i`, see `filterInBatch`. */
export function selectReposts({ account, where, order, limit }: ItemsSql, isListed: string): string {
  return `(SELECT i.id, i.post_id, i.author_id FROM repost i
    WHERE i.account_id = ${account} AND ${where} AND ${isListed}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/**
 * SQL: an account's posts and reposts with the columns of `selectListed`. The posts of reposts are joined to those
 * within the limit, so that no plan joins all.
 */
export function selectItems(items: ItemsSql, isListed: string): string {
  const { order, limit } = items;
  return `${selectPosts(items, `i.id, NULL::bigint AS reposted_by, NULL::timestamptz AS reposted_at, ${postColumns('i')}`)}
    UNION ALL (
      SELECT i.id, ${items.account}::bigint, ${repostedAt('i')}, ${postColumns('p')}
      FROM ${selectReposts(items, isListed)} i, ${lateralPost('i.post_id')} p ORDER BY i.id ${order} LIMIT ${limit}
    )`;
}

/** SQL: when the item in `alias`, a repost, was created. */
export function repostedAt(alias: string): string {
  return `(SELECT created_at FROM repost WHERE id = ${alias}.id)`;
}

/** SQL: joins the post with this id. OFFSET 0 keeps the subquery separate, so that no plan scans all posts. */
export function lateralPost(id: string): string {
  return `LATERAL (SELECT * FROM post WHERE id = ${id} OFFSET 0)`;
}
