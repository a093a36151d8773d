import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { addMark, deleteMark, findMark } from '../post/mark-statements.ts';
type Pair = readonly [accountId: number, postId: number];

const like = { table: 'post_like', counter: 'likes_count' } as const;
const addStatement = statement<Pair, { count: number }>('like_add', addMark(like));
const deleteStatement = statement<Pair, { count: number }>('like_delete', deleteMark(like));
const findStatement = statement<Pair, { set: boolean }>('like_find', findMark(like.table));

/** Likes a post; answers how many like it. `undefined`: the account sees no such post. */
export async function addLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(addStatement, [accountId, postId]);
  return row?.count;
}

/** Takes the mark away; answers how many still like it. `undefined`: no mark, and no post that the account sees. */
export async function deleteLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(deleteStatement, [accountId, postId]);
  return row?.count;
}

/** `undefined`: the account sees no such post. */
export async function isLiked(db: Queryable, accountId: number, postId: number): Promise<boolean | undefined> {
  const [row] = await db.query(findStatement, [accountId, postId]);
  return row?.set;
}
