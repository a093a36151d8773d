import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { addReactionSql, deleteReactionSql, findReactionSql } from '../post/reaction-statements.ts';

type Params = readonly [accountId: number, postId: number];

const repost = { table: 'repost', counter: 'reposts_count' } as const;
const addStatement = statement<Params, { count: number }>('repost_add', addReactionSql(repost));
const deleteStatement = statement<Params, { count: number }>('repost_delete', deleteReactionSql(repost));
const findStatement = statement<Params, { exists: boolean }>('repost_find', findReactionSql(repost.table));

/** Reposts a post. Returns its number of reposts. `undefined`: the post does not exist or is hidden from the account. */
export async function addRepost(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(addStatement, [accountId, postId]);
  return row?.count;
}

/**
 * Removes a repost, even of a post that the account can no longer see. Returns the post's number of reposts.
 * `undefined`: there is no repost, and the post does not exist or is hidden from the account.
 */
export async function deleteRepost(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(deleteStatement, [accountId, postId]);
  return row?.count;
}

/** `undefined`: the post does not exist or is hidden from the account. */
export async function isReposted(db: Queryable, accountId: number, postId: number): Promise<boolean | undefined> {
  const [row] = await db.query(findStatement, [accountId, postId]);
  return row?.exists;
}
