import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { addReactionSql, deleteReactionSql, findReactionSql } from '../post/reaction-statements.ts';

type Params = readonly [accountId: number, postId: number];

const like = { table: 'post_like', counter: 'likes_count' } as const;
const addStatement = statement<Params, { count: number }>('like_add', addReactionSql(like));
const deleteStatement = statement<Params, { count: number }>('like_delete', deleteReactionSql(like));
const findStatement = statement<Params, { exists: boolean }>('like_find', findReactionSql(like.table));

/** Likes a post. Returns its number of likes. `undefined`: the post does not exist or is hidden from the account. */
export async function addLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(addStatement, [accountId, postId]);
  return row?.count;
}

/**
 * Removes a like, even from a post that the account can no longer see. Returns the post's number of likes.
 * `undefined`: there is no like, and the post does not exist or is hidden from the account.
 */
export async function deleteLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(deleteStatement, [accountId, postId]);
  return row?.count;
}

/** `undefined`: the post does not exist or is hidden from the account. */
export async function isLiked(db: Queryable, accountId: number, postId: number): Promise<boolean | undefined> {
  const [row] = await db.query(findStatement, [accountId, postId]);
  return row?.exists;
}
