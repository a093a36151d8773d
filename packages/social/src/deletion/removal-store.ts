/** What operators delete: one record by its id, or everything that an account posted. */
import { recordAct } from '@linnet/accounts/operators/operator-act';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { deleteComment } from '../comment/comment-store.ts';
import { deleteMedia } from '../media/media-store.ts';
import { defaultDependentsPerBatch, deletePost } from '../post/post-delete-store.ts';
import { lockPosts } from './archive-store.ts';
import { erasePosts } from './erasure-store.ts';

export type Removable = 'post' | 'comment' | 'media';

const ownerOf = (kind: Removable, column: 'author_id' | 'owner_id') =>
  statement<readonly [id: number], { readonly accountId: number }>(
    `removal_${kind}`,
    `SELECT ${column} AS "accountId" FROM ${kind} WHERE id = $1`,
  );

const owners = {
  post: ownerOf('post', 'author_id'),
  comment: ownerOf('comment', 'author_id'),
  media: ownerOf('media', 'owner_id'),
} as const;

interface RemovalDatabases {
  /** The transaction of the operator, which has the reason. */
  readonly within: Queryable;
  /** Deletes likes, reposts and comments of a popular post in batches, before the transaction deletes the post. */
  readonly outside: Queryable;
}

/** Deletes a post, comment or picture as its owner would, and records it. Returns false if it does not exist. */
export async function remove({ within, outside }: RemovalDatabases, kind: Removable, id: number): Promise<boolean> {
  const [owner] = await within.query(owners[kind], [id]);
  if (owner === undefined) return false;
  const { accountId } = owner;
  const deletions = {
    post: () => deletePost({ db: within, outside }, { id, accountId }),
    comment: () => deleteComment(within, { id, accountId }),
    media: () => deleteMedia(within, id, accountId),
  };
  if ((await deletions[kind]()) !== 'deleted') return false;
  await recordAct(within, `${kind}.deleted`, { accountId, detail: { item: String(id) } });
  return true;
}

type BatchParams = readonly [accountId: number, limit: number];

interface Removed {
  readonly removed: number;
}

// The posts are locked first, as everywhere (see reaction-store.ts).
const commentsStatement = statement<BatchParams, Removed>(
  'remove_comments',
  `WITH batch AS MATERIALIZED (
     SELECT ctid AS row_ctid, post_id FROM comment WHERE author_id = $1 LIMIT $2
   ), ${lockPosts('batch')}, removed AS (
     DELETE FROM comment WHERE ctid = ANY (ARRAY(SELECT row_ctid FROM batch)) AND author_id = $1
       AND post_id IN (SELECT id FROM locked) RETURNING post_id
   ), counted AS (
     UPDATE post p SET comments_count = p.comments_count - c.rows
     FROM (SELECT post_id, count(*)::int AS rows FROM removed GROUP BY post_id) c WHERE p.id = c.post_id
   )
   SELECT count(*)::int AS removed FROM removed`,
);

// What a hidden account commented; nothing counts it until the account is back.
const archivedCommentsStatement = statement<BatchParams, Removed>(
  'remove_archived_comments',
  `WITH removed AS (
     DELETE FROM set_aside WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM set_aside WHERE account_id = $1 AND kind = 'comment' LIMIT $2
     )) AND account_id = $1 RETURNING 1
   )
   SELECT count(*)::int AS removed FROM removed`,
);

const batchSize = 500;

/**
 * Deletes all posts and comments of an account in batches, as the account would. An interrupted removal can be continued by calling it
 * again.
 */
export async function removeAll(
  db: Queryable,
  accountId: number,
  dependentsPerBatch = defaultDependentsPerBatch,
): Promise<void> {
  const posts = { accountId, state: 'any', limit: batchSize, dependentsPerBatch } as const;
  while ((await erasePosts(db, posts)) > 0);
  for (const batch of [commentsStatement, archivedCommentsStatement]) {
    while (requireRow(await db.query(batch, [accountId, batchSize]), batch).removed > 0);
  }
}
