/** What operators delete by its id, without a report. */
import { recordAct } from '@linnet/accounts/operators/operator-act';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { deleteComment } from '../comment/comment-store.ts';
import { deleteMedia } from '../media/media-store.ts';
import { deletePost } from '../post/post-delete-store.ts';

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
