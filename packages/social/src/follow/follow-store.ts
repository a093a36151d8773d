import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { isNotHidden } from '../account/visibility.ts';
import { addFollowSql, deleteFollowSql, lockedByFollow, retryWhileStale } from './follow-change.ts';
import type { StaleFlag } from './follow-change.ts';

type Pair = readonly [followerId: number, followedId: number];

interface FollowAdded {
  /** The number of followers. */
  readonly count: number;
  /** The account is protected, so there is a follow request and no follow yet (decisions D25). */
  readonly requested: boolean;
}

const addStatement = statement<Pair, FollowAdded & StaleFlag>('follow_add', addFollowSql, lockedByFollow);
const deleteStatement = statement<Pair, { readonly count: number } & StaleFlag>(
  'follow_delete',
  deleteFollowSql,
  lockedByFollow,
);

/**
 * Follows an account, or requests to follow it if it is protected. `undefined`: an account does not exist, or one of them blocks
 * the other.
 */
export async function addFollow(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<FollowAdded | undefined> {
  return await retryWhileStale(async () => await db.query(addStatement, [followerId, followedId]));
}

/**
 * Unfollows an account and withdraws a pending follow request. Returns the number of followers left.
 * `undefined`: an account does not exist.
 */
export async function deleteFollow(db: Queryable, followerId: number, followedId: number): Promise<number | undefined> {
  const row = await retryWhileStale(async () => await db.query(deleteStatement, [followerId, followedId]));
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
   FROM account a WHERE a.id = $2 AND a.hidden_at IS NULL`,
);

/** Returns how the follower is related to the account. `undefined`: the account does not exist. */
export async function findFollow(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<FollowState | undefined> {
  const [row] = await db.query(findStatement, [followerId, followedId]);
  return row;
}

interface Protection {
  readonly isProtected: boolean;
  readonly followers: number;
  /** The number of pending follow requests. */
  readonly requests: number;
}

const findProtectionStatement = statement<readonly [accountId: number], Protection>(
  'protection_find',
  `SELECT a.protected AS "isProtected", a.followers_count AS followers,
     (SELECT count(*)::int FROM follow_request r WHERE r.followed_id = a.id AND ${isNotHidden('r.follower_id')}) AS requests
   FROM account a WHERE a.id = $1 AND a.hidden_at IS NULL`,
);

/** Returns whether an account is protected, with its followers and requests. `undefined`: it does not exist. */
export async function findProtection(db: Queryable, accountId: number): Promise<Protection | undefined> {
  const [row] = await db.query(findProtectionStatement, [accountId]);
  return row;
}
