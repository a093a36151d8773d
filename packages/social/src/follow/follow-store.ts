import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { addFollowSql, deleteFollowSql, settle } from './follow-change.ts';
import type { Settled } from './follow-change.ts';

type Pair = readonly [followerId: number, followedId: number];

interface FollowAdded {
  /** How many follow the account. */
  readonly count: number;
  /** The account is protected: it was asked, and is not followed yet (decisions D25). */
  readonly requested: boolean;
}

const addStatement = statement<Pair, FollowAdded & Settled>('follow_add', addFollowSql);
const deleteStatement = statement<Pair, { readonly count: number } & Settled>('follow_delete', deleteFollowSql);

/** Follows an account, or asks to when it is protected. `undefined`: there is no such account. */
export async function addFollow(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<FollowAdded | undefined> {
  return await settle(async () => await db.query(addStatement, [followerId, followedId]));
}

/**
 * Follows an account no longer, and asks no longer to; answers how many still follow it.
 * `undefined`: there is no such account.
 */
export async function deleteFollow(db: Queryable, followerId: number, followedId: number): Promise<number | undefined> {
  const row = await settle(async () => await db.query(deleteStatement, [followerId, followedId]));
  return row?.count;
}

interface FollowState {
  readonly following: boolean;
  readonly requested: boolean;
}

const findStatement = statement<Pair, FollowState>(
  'follow_find',
  `SELECT EXISTS (SELECT 1 FROM follow WHERE follower_id = $1 AND followed_id = a.id) AS following,
     EXISTS (SELECT 1 FROM follow_request WHERE follower_id = $1 AND followed_id = a.id) AS requested
   FROM account a WHERE a.id = $2 AND a.deleted_at IS NULL`,
);

/** `undefined`: there is no such account. */
export async function findFollow(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<FollowState | undefined> {
  const [row] = await db.query(findStatement, [followerId, followedId]);
  return row;
}
