import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { commentsVisibleTo, visibleTo } from '../account/visibility.ts';
import type { DeleteOutcome } from '../delete-outcome.ts';

// An account can delete its comment even when it can no longer see the post, and those of others on its own posts even when a block
// hides them. The post is locked first (see post/reaction-store.ts).
const deleteStatement = statement<readonly [id: number, accountId: number], { outcome: DeleteOutcome }>(
  'comment_delete',
  `WITH target AS MATERIALIZED (
     SELECT c.post_id, c.author_id = $2 OR (p.author_id = $2 AND author.deleted_at IS NULL) AS own, ${visibleTo('$2::bigint', 'a')} AND ${commentsVisibleTo('$2::bigint', 'author')} AS visible
     FROM comment c JOIN account author ON author.id = c.author_id
       JOIN post p ON p.id = c.post_id JOIN account a ON a.id = p.author_id
     WHERE c.id = $1
   ), locked AS MATERIALIZED (
     SELECT id FROM post WHERE id IN (SELECT post_id FROM target WHERE own) FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM comment WHERE id = $1 AND post_id IN (SELECT id FROM locked) RETURNING post_id
   ), counted AS (
     UPDATE post SET comments_count = comments_count - 1 WHERE id IN (SELECT post_id FROM deleted)
   )
   SELECT CASE WHEN own THEN 'deleted' ELSE 'not-owner' END AS outcome FROM target
   WHERE CASE WHEN own THEN EXISTS (SELECT 1 FROM deleted) ELSE visible END`,
  // It is not known which post it locks, so all deletions pass the gate as if they locked the same one.
  () => ['comment/deleted'],
);

/** Deletes a comment of the account, or on a post of it. `undefined`: the comment does not exist or is hidden from the account. */
export async function deleteComment(
  db: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<DeleteOutcome | undefined> {
  const [row] = await db.query(deleteStatement, [id, accountId]);
  return row?.outcome;
}
