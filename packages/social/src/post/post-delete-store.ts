import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { visibleTo } from '../account/visibility.ts';
import type { DeleteOutcome } from '../delete-outcome.ts';

// Comments, likes and reposts go with the post (foreign keys) when they are no more than $3. The author is
// locked before the post (see mark-statements.ts), and only when the post is the account's own.
const deleteStatement = statement<
  readonly [id: number, accountId: number, marks: number],
  { outcome: DeleteOutcome | 'too-many-marks' }
>(
  'post_delete',
  `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id, p.author_id = $2 AS own, p.likes_count + p.reposts_count + p.comments_count <= $3::int AS few
     FROM post p JOIN account a ON a.id = p.author_id
     WHERE p.id = $1 AND ${visibleTo('$2::bigint', 'a')}
   ), author AS MATERIALIZED (
     SELECT id FROM account WHERE id IN (SELECT author_id FROM target WHERE own AND few) FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM post WHERE id = $1 AND author_id IN (SELECT id FROM author) RETURNING author_id
   ), counted AS (
     UPDATE account SET posts_count = posts_count - 1 WHERE id IN (SELECT author_id FROM deleted)
   )
   SELECT CASE WHEN NOT own THEN 'not-owner' WHEN few THEN 'deleted' ELSE 'too-many-marks' END AS outcome FROM target
   WHERE NOT own OR NOT few OR EXISTS (SELECT 1 FROM deleted)`,
);

/** At most $3 rows of a table that belong to the target. */
const someOf = (table: 'post_like' | 'repost' | 'comment') => `
  DELETE FROM ${table} WHERE post_id = $1 AND ctid = ANY (
    ARRAY(SELECT m.ctid FROM ${table} m WHERE m.post_id = (SELECT id FROM target) LIMIT $3)
  ) RETURNING 1`;

const deleteMarks = statement<readonly [id: number, accountId: number, limit: number], { readonly removed: number }>(
  'post_delete_marks',
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

/** More than any post has, as an int of the database. */
const maxMarks = 2 ** 31 - 1;
/** Far fewer than can be deleted within the time of a statement, wherever they lie. */
const usualMarksAtOnce = 10_000;

/**
 * Deletes a post of the account; `undefined`: the account sees no such post. Of one with many marks those go
 * before it, in several statements with exact counters: what is interrupted can be called again.
 */
export async function deletePost(
  db: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  marksAtOnce = usualMarksAtOnce,
): Promise<DeleteOutcome | undefined> {
  let enough = marksAtOnce;
  for (;;) {
    const [row] = await db.query(deleteStatement, [id, accountId, enough]);
    if (row?.outcome !== 'too-many-marks') return row?.outcome;
    const [marks] = await db.query(deleteMarks, [id, accountId, marksAtOnce]);
    // None are left: whatever the counters tell, it can go.
    if (marks?.removed === 0) enough = maxMarks;
  }
}
