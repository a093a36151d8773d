import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

/** At most $3 rows of a table that belong to the target. */
const someOf = (table: 'post_like' | 'repost' | 'comment') => `
  DELETE FROM ${table} WHERE post_id = $1 AND ctid = ANY (
    ARRAY(SELECT m.ctid FROM ${table} m WHERE m.post_id = (SELECT id FROM target) LIMIT $3)
  ) RETURNING 1`;

// The post is locked before the rows below it, as everywhere (see mark-statements.ts).
const removeStatement = statement<readonly [id: number, authorId: number, limit: number], { readonly removed: number }>(
  'post_remove_marks',
  `WITH target AS MATERIALIZED (
     SELECT id FROM post WHERE id = $1 AND author_id = $2 FOR NO KEY UPDATE
   ), likes AS (${someOf('post_like')}), reposts AS (${someOf('repost')}), comments AS (${someOf('comment')}),
   removed AS MATERIALIZED (
     SELECT (SELECT count(*)::int FROM likes) AS likes, (SELECT count(*)::int FROM reposts) AS reposts,
       (SELECT count(*)::int FROM comments) AS comments
   ), counted AS (
     UPDATE post SET likes_count = likes_count - likes, reposts_count = reposts_count - reposts,
       comments_count = comments_count - comments
     FROM removed WHERE id IN (SELECT id FROM target)
   )
   SELECT likes + reposts + comments AS removed FROM removed`,
);

/** Of each kind. Far fewer than can be deleted within the time of a statement, wherever they lie, on a busy machine. */
export const usualMarksAtOnce = 2000;

/** More than any post has, whatever its counters tell. */
export const allMarks = Number.MAX_SAFE_INTEGER;

interface PostWithMarks {
  readonly id: number;
  readonly authorId: number;
  /** Of each kind. */
  readonly marksAtOnce: number;
}

/** Takes some likes, reposts and comments off a post, whose counters stay exact; answers how many. */
export async function removeSomeMarks(db: Queryable, { id, authorId, marksAtOnce }: PostWithMarks): Promise<number> {
  const [row] = await db.query(removeStatement, [id, authorId, marksAtOnce]);
  return row?.removed ?? 0;
}
