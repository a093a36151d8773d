import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { visibleTo } from '../account/visibility.ts';
import type { DeleteOutcome } from '../delete-outcome.ts';
import { allMarks, removeSomeMarks, usualMarksAtOnce } from './mark-removal-store.ts';

// Comments, likes and reposts go with the post (foreign keys) when they are no more than $3. The author is
// locked before the post (see mark-statements.ts), and only when the post is the account's own.
const deleteStatement = statement<
  readonly [id: number, accountId: number, marks: number],
  { outcome: DeleteOutcome | 'too-many-marks' }
>(
  'post_delete',
  `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id, p.author_id = $2 AS own,
       p.likes_count::bigint + p.reposts_count + p.comments_count <= $3::bigint AS few
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

interface Databases {
  /** Where the post is deleted: the transaction of the call, if it has one. */
  readonly db: Queryable;
  /** No transaction: whoever likes the post meanwhile waits for one batch, not for all. */
  readonly outside: Queryable;
}

/**
 * Deletes a post of the account; `undefined`: the account sees no such post. Of one with many marks those go
 * before it, each batch on its own with exact counters: what is interrupted can be called again. Until then the
 * transaction of the call holds nothing of the post, and is never idle for longer than a batch takes.
 */
export async function deletePost(
  { db, outside }: Databases,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  marksAtOnce = usualMarksAtOnce,
): Promise<DeleteOutcome | undefined> {
  let enough = marksAtOnce;
  for (;;) {
    const [row] = await db.query(deleteStatement, [id, accountId, enough]);
    if (row?.outcome !== 'too-many-marks') return row?.outcome;
    // None are left: whatever the counters tell, it can go.
    if ((await removeSomeMarks(outside, { id, authorId: accountId, marksAtOnce })) === 0) enough = allMarks;
  }
}
