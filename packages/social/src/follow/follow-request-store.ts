import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { approveRequestSql, lockedByFollow, removeFollowerSql, retryWhileStale } from './follow-change.ts';
import type { StaleFlag } from './follow-change.ts';

type Pair = readonly [followerId: number, followedId: number];

const approveStatement = statement<Pair, { readonly count: number; readonly approved: boolean } & StaleFlag>(
  'follow_request_approve',
  approveRequestSql,
  lockedByFollow,
);

/**
 * Approves a follow request. Returns the number of followers. If the account already follows, nothing changes.
 * `undefined`: there is no request and no follow.
 */
export async function approveRequest(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<number | undefined> {
  const row = await retryWhileStale(async () => await db.query(approveStatement, [followerId, followedId]));
  return row?.approved === true ? row.count : undefined;
}

const rejectStatement = statement<Pair, { readonly count: number }>(
  'follow_request_reject',
  `WITH rejected AS (
     DELETE FROM follow_request WHERE follower_id = $1 AND followed_id = $2
   )
   SELECT me.followers_count AS count FROM account me, account follower
   WHERE me.id = $2 AND follower.id = $1 AND follower.hidden_at IS NULL`,
);

/** Deletes a follow request, if there is one. Returns the number of followers. `undefined`: an account does not exist. */
export async function rejectRequest(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<number | undefined> {
  const [row] = await db.query(rejectStatement, [followerId, followedId]);
  return row?.count;
}

const removeStatement = statement<Pair, { readonly count: number }>(
  'follower_remove',
  removeFollowerSql,
  lockedByFollow,
);

/** Removes a follower, if it is one. Returns the number of followers left. `undefined`: an account does not exist. */
export async function removeFollower(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<number | undefined> {
  const [row] = await db.query(removeStatement, [followerId, followedId]);
  return row?.count;
}

const lockStatement = statement<readonly [accountId: number], { readonly id: number }>(
  'follow_request_lock_all',
  `SELECT id FROM account WHERE id IN (SELECT $1 UNION SELECT follower_id FROM follow_request WHERE followed_id = $1)
   ORDER BY id FOR NO KEY UPDATE`,
);

/** A statement moves this many requests in a small part of its timeout. */
const batchSize = 500;

const acceptStatement = statement<readonly [accountId: number], { readonly count: number }>(
  'follow_request_accept',
  `WITH accepted AS (
     DELETE FROM follow_request WHERE followed_id = $1 AND follower_id IN (
       SELECT r.follower_id FROM follow_request r JOIN account f ON f.id = r.follower_id AND f.hidden_at IS NULL
       WHERE r.followed_id = $1 ORDER BY r.id LIMIT ${String(batchSize)}
     ) RETURNING follower_id, id
   ), added AS (
     INSERT INTO follow (id, follower_id, followed_id, approved)
     SELECT next_id(follower_id), follower_id, $1, true FROM accepted ORDER BY accepted.id
     ON CONFLICT DO NOTHING RETURNING follower_id
   ), counted AS (
     UPDATE account SET
       following_count = following_count + (id <> $1)::int,
       followers_count = followers_count + CASE WHEN id = $1 THEN (SELECT count(*)::int FROM added) ELSE 0 END
     WHERE id = ANY (ARRAY(SELECT $1 UNION SELECT follower_id FROM added))
   )
   SELECT count(*) AS count FROM accepted`,
);

/**
 * Turns all pending requests into follows, for an account that stops being protected. Returns how many.
 * Call it in the transaction that sets `protected` to false, and before that: it locks the account and the requesting
 * accounts in the order of their ids, and blocks new requests until the transaction ends.
 */
export async function acceptAllRequests(tx: Queryable, accountId: number): Promise<number> {
  await tx.query(lockStatement, [accountId]);
  // A new statement has a new snapshot: it sees the requests that arrived while the lock was awaited.
  return await countBatches(async () => await tx.query(acceptStatement, [accountId]));
}

/** Repeats a statement until it returns less than a full batch. Returns the sum. */
async function countBatches(send: () => Promise<readonly { readonly count: number }[]>): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await send();
    if (row === undefined) throw new Error('a count returned no row');
    total += row.count;
    if (row.count < batchSize) return total;
  }
}

const rejectAllStatement = statement<readonly [accountId: number], { readonly count: number }>(
  'follow_request_reject_all',
  `WITH rejected AS (
     DELETE FROM follow_request WHERE id IN (
       SELECT id FROM follow_request WHERE followed_id = $1 ORDER BY id LIMIT ${String(batchSize)} FOR UPDATE
     ) RETURNING 1
   )
   SELECT count(*)::int AS count FROM rejected`,
);

/** Deletes all pending requests in batches, each in its own transaction unless `db` is one. Returns how many. */
export async function rejectAllRequests(db: Queryable, accountId: number): Promise<number> {
  return await countBatches(async () => await db.query(rejectAllStatement, [accountId]));
}
