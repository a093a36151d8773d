import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { visibleTo } from '../account/visibility.ts';
import type { DeleteOutcome } from '../comment/comment-store.ts';
import { accountRow, postRow } from '../record.ts';

/** Deletes the dependents of a post: its likes, reposts, comments and bookmarks. */

/** SQL: deletes at most $3 rows of a table that belong to the target. */
const deleteSome = (table: 'post_like' | 'repost' | 'comment' | 'bookmark') => `
  DELETE FROM ${table} WHERE post_id = $1 AND ctid = ANY (
    ARRAY(SELECT d.ctid FROM ${table} d WHERE d.post_id = (SELECT id FROM target) LIMIT $3)
  ) RETURNING 1`;

// The post is locked before the rows below it, as everywhere (see reaction-store.ts).
const deleteDependentsStatement = statement<
  readonly [id: number, authorId: number, limit: number],
  { readonly deleted: number }
>(
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
  const [row] = await db.query(deleteDependentsStatement, [id, authorId, dependentsPerBatch]);
  if (row === undefined) throw new Error('post_delete_dependents returned no row');
  return row.deleted;
}

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
     WHERE p.id = $1 AND ((a.id = $2 AND a.deleted_at IS NULL) OR ${visibleTo('$2::bigint', 'a')})
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
