/** Deletes the dependents of a post: its likes, reposts, comments and bookmarks. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

/** SQL: deletes at most $3 rows of a table that belong to the target. */
const deleteSome = (table: 'post_like' | 'repost' | 'comment' | 'bookmark') => `
  DELETE FROM ${table} WHERE post_id = $1 AND ctid = ANY (
    ARRAY(SELECT d.ctid FROM ${table} d WHERE d.post_id = (SELECT id FROM target) LIMIT $3)
  ) RETURNING 1`;

// The post is locked before the rows below it, as everywhere (see reaction-store.ts).
const deleteStatement = statement<readonly [id: number, authorId: number, limit: number], { readonly deleted: number }>(
  'post_delete_dependents',
  `WITH target AS MATERIALIZED (
     SELECT id FROM post WHERE id = $1 AND author_id = $2 FOR NO KEY UPDATE
   ), likes AS (${deleteSome('post_like')}), reposts AS (${deleteSome('repost')}), comments AS (${deleteSome('comment')}),
   bookmarks AS (${deleteSome('bookmark')}),
   deleted AS MATERIALIZED (
     SELECT (SELECT count(*)::int FROM likes) AS likes, (SELECT count(*)::int FROM reposts) AS reposts,
       (SELECT count(*)::int FROM comments) AS comments, (SELECT count(*)::int FROM bookmarks) AS bookmarks
   ), counted AS (
     UPDATE post SET likes_count = likes_count - likes, reposts_count = reposts_count - reposts,
       comments_count = comments_count - comments, bookmarks_count = bookmarks_count - bookmarks
     FROM deleted WHERE id IN (SELECT id FROM target)
   )
   SELECT likes + reposts + comments + bookmarks AS deleted FROM deleted`,
);

/** Rows of each kind. Far fewer than a busy machine can delete within the statement timeout. */
export const defaultDependentsPerBatch = 2000;

/** A limit that no post exceeds, even if its counters are wrong. */
export const unlimitedDependents = Number.MAX_SAFE_INTEGER;

interface DependentsBatch {
  readonly id: number;
  readonly authorId: number;
  /** At most this many rows of each kind. */
  readonly dependentsPerBatch: number;
}

/** Deletes some likes, reposts, comments and bookmarks of a post and keeps its counters exact. Returns how many rows it deleted. */
export async function deleteDependents(
  db: Queryable,
  { id, authorId, dependentsPerBatch }: DependentsBatch,
): Promise<number> {
  const [row] = await db.query(deleteStatement, [id, authorId, dependentsPerBatch]);
  if (row === undefined) throw new Error('post_delete_dependents returned no row');
  return row.deleted;
}
