import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { addMark, deleteMark, findMark } from '../post/mark-statements.ts';

type Pair = readonly [accountId: number, postId: number];

const repost = { table: 'repost', counter: 'reposts_count' } as const;
const addStatement = statement<Pair, { count: number }>('repost_add', addMark(repost));
const deleteStatement = statement<Pair, { count: number }>('repost_delete', deleteMark(repost));
const findStatement = statement<Pair, { set: boolean }>('repost_find', findMark(repost.table));

/** Reposts a post; answers how many have. `undefined`: the account sees no such post. */
export async function addRepost(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(addStatement, [accountId, postId]);
  return row?.count;
}

/** Takes the repost back; answers how many are left. `undefined`: no repost, and no post that the account sees. */
export async function deleteRepost(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(deleteStatement, [accountId, postId]);
  return row?.count;
}

/** `undefined`: the account sees no such post. */
export async function isReposted(db: Queryable, accountId: number, postId: number): Promise<boolean | undefined> {
  const [row] = await db.query(findStatement, [accountId, postId]);
  return row?.set;
}
