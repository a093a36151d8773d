import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { visibleTo } from '../account/visibility.ts';
import type { DeleteOutcome } from '../delete-outcome.ts';
import { accountRow, postRow } from '../locked-rows.ts';
import { defaultDependentsPerBatch, deleteDependents, unlimitedDependents } from './dependents-store.ts';

// Foreign keys delete the comments, likes and reposts with the post, if there are at most $3. The author is locked
// before the post (see reaction-store.ts), and only if the post is the account's own.
const deleteStatement = statement<
  readonly [id: number, accountId: number, dependents: number],
  { outcome: DeleteOutcome | 'too-many-dependents' }
>(
  'post_delete',
  `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id, p.author_id = $2 AS own,
       p.likes_count::bigint + p.reposts_count + p.comments_count + p.bookmarks_count <= $3::bigint AS few
     FROM post p JOIN account a ON a.id = p.author_id
     WHERE p.id = $1 AND ${visibleTo('$2::bigint', 'a')}
   ), author AS MATERIALIZED (
     SELECT id FROM account WHERE id IN (SELECT author_id FROM target WHERE own AND few) FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM post WHERE id = $1 AND author_id IN (SELECT id FROM author) RETURNING author_id
   ), counted AS (
     UPDATE account SET posts_count = posts_count - 1 WHERE id IN (SELECT author_id FROM deleted)
   )
   SELECT CASE WHEN NOT own THEN 'not-owner' WHEN few THEN 'deleted' ELSE 'too-many-dependents' END AS outcome
   FROM target
   WHERE NOT own OR NOT few OR EXISTS (SELECT 1 FROM deleted)`,
  ([id, accountId]) => [accountRow(accountId), postRow(id)],
);

interface Databases {
  /** Deletes the post: the transaction of the request, if it has one. */
  readonly db: Queryable;
  /** Deletes dependents, outside of that transaction: a concurrent like waits for one batch and not for all. */
  readonly outside: Queryable;
}

/**
 * Deletes a post of the account. `undefined`: the post does not exist or is hidden from the account.
 *
 * The dependents of a post that has many are deleted before it in batches that keep the counters exact, so an
 * interrupted call can be repeated. The transaction of the request holds no lock on the post by then, and is idle for
 * no longer than one batch.
 */
export async function deletePost(
  { db, outside }: Databases,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  dependentsPerBatch = defaultDependentsPerBatch,
): Promise<DeleteOutcome | undefined> {
  let maxDependents = dependentsPerBatch;
  for (;;) {
    const [row] = await db.query(deleteStatement, [id, accountId, maxDependents]);
    if (row?.outcome !== 'too-many-dependents') return row?.outcome;
    const deleted = await deleteDependents(outside, { id, authorId: accountId, dependentsPerBatch });
    // No dependents are left, so the post can be deleted even if its counters are wrong.
    if (deleted === 0) maxDependents = unlimitedDependents;
  }
}
