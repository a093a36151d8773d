import { accountJson } from '../account/account-row.ts';
import { postMediaJson } from '../media/media-row.ts';
import type { Slice } from '../list/page-sql.ts';
import { mentionsJson } from './post-row.ts';

interface ListedSql {
  /** SQL query: the items, with the columns id and post_id. */
  readonly page: string;
  readonly order: Slice['order'];
  /** SQL of the account that posted or reposted the item `i`. */
  readonly listedBy: string;
}

/** SQL: the CTE `listed`, which `selectListed` reads. */
export function listedPosts({ page, order, listedBy }: ListedSql): string {
  return `listed AS MATERIALIZED (
    SELECT i.id AS item_id, ${listedBy} AS listed_by, p.id, p.author_id, p.likes_count, p.comments_count, p.reposts_count,
      p.has_media, p.mention_ids
    FROM (${page}) i JOIN ${lateralPost('i.post_id')} p ON true ORDER BY i.id ${order}
  )`;
}

/**
 * SQL: one row with `ListedPostColumns`. Lists instead of rows, and JSON only for items that need it, take a third of
 * the time in PostgreSQL and here.
 */
export function selectListed(viewer: string): string {
  return `SELECT array_agg(l.item_id) AS "itemIds", array_agg(l.id) AS ids, array_agg(l.author_id) AS "authorIds",
      array_agg(l.listed_by) AS "listedByIds", array_agg(l.likes_count) AS "likesCounts",
      array_agg(l.comments_count) AS "commentsCounts", array_agg(l.reposts_count) AS "repostsCounts",
      json_object_agg(l.item_id, json_build_object('media', ${postMediaJson('l')},
        'mentions', ${mentionsJson('l', viewer)},
        'repostedAt', CASE WHEN l.item_id <> l.id THEN (
          SELECT created_at FROM repost WHERE account_id = l.listed_by AND post_id = l.id
        ) END
      )) FILTER (WHERE l.item_id <> l.id OR l.has_media OR l.mention_ids IS NOT NULL) AS details,
      (SELECT json_agg(${accountJson('a')}) FROM account a WHERE a.id = ANY (ARRAY(
        SELECT author_id FROM listed UNION ALL SELECT listed_by FROM listed WHERE item_id <> id
      ))) AS accounts
    FROM listed l`;
}

interface ItemsSql extends Slice {
  /** SQL of the account's id. */
  readonly account: string;
}

// Both kinds come from their index in order, so that PostgreSQL stops reading when a LIMIT is reached. Posts and reposts
// take their ids from one ascending sequence: an item is a repost if its id differs from the id of its post.

/** SQL: an account's own posts as list items. */
export function selectPosts({ account, where, order, limit }: ItemsSql): string {
  return `(SELECT i.id, i.id AS post_id, i.author_id FROM post i WHERE i.author_id = ${account} AND ${where}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/** SQL: an account's reposts as list items; `isListed`: SQL condition on `i`, see `filterInBatch`. */
export function selectReposts({ account, where, order, limit }: ItemsSql, isListed: string): string {
  return `(SELECT i.id, i.post_id, i.author_id FROM repost i
    WHERE i.account_id = ${account} AND ${where} AND ${isListed}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/** SQL: joins the post with this id. OFFSET 0 keeps the subquery separate, so that no plan scans all posts. */
export function lateralPost(id: string): string {
  return `LATERAL (SELECT * FROM post WHERE id = ${id} OFFSET 0)`;
}
