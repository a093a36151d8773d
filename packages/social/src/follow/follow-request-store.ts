import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { approveRequestSql, removeFollowerSql, settle } from './follow-change.ts';
import type { Settled } from './follow-change.ts';

type Pair = readonly [followerId: number, followedId: number];

const approveStatement = statement<Pair, { readonly count: number; readonly approved: boolean } & Settled>(
  'follow_request_approve',
  approveRequestSql,
);

/**
 * Lets the follower follow; answers how many follow the account. A follower already is one.
 * `undefined`: the follower did not ask.
 */
export async function approveRequest(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<number | undefined> {
  const row = await settle(async () => await db.query(approveStatement, [followerId, followedId]));
  return row?.approved === true ? row.count : undefined;
}

const rejectStatement = statement<Pair, { readonly count: number }>(
  'follow_request_reject',
  `WITH rejected AS (
     DELETE FROM follow_request WHERE follower_id = $1 AND followed_id = $2
   )
   SELECT me.followers_count AS count FROM account me, account follower
   WHERE me.id = $2 AND follower.id = $1 AND follower.deleted_at IS NULL`,
);

/** Drops a request; answers how many follow the account. `undefined`: there is no account that could have asked. */
export async function rejectRequest(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<number | undefined> {
  const [row] = await db.query(rejectStatement, [followerId, followedId]);
  return row?.count;
}

const removeStatement = statement<Pair, { readonly count: number }>('follower_remove', removeFollowerSql);

/** Ends that the follower follows; answers how many still do. `undefined`: there is no such account. */
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

/** As many as one statement moves in a small part of the time it has. */
const batch = 5000;

const acceptStatement = statement<readonly [accountId: number], { readonly count: number }>(
  'follow_request_accept',
  `WITH accepted AS (
     DELETE FROM follow_request WHERE followed_id = $1 AND follower_id IN (
       SELECT r.follower_id FROM follow_request r JOIN account f ON f.id = r.follower_id AND f.deleted_at IS NULL
       WHERE r.followed_id = $1 ORDER BY r.id LIMIT ${String(batch)}
     ) RETURNING follower_id, id
   ), added AS (
     INSERT INTO follow (follower_id, followed_id) SELECT follower_id, $1 FROM accepted ORDER BY id
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
 * Turns every pending request into a follow, for an account that stops being protected; answers how
 * many. Part of that transaction, and before `protected` is changed: it locks the account and those
 * who asked in the order of their ids, and from then on nobody can ask until the transaction ends.
 */
export async function acceptAllRequests(tx: Queryable, accountId: number): Promise<number> {
  await tx.query(lockStatement, [accountId]);
  const accepted = { last: batch, total: 0 };
  // Statements of their own, so that they see who asked while the first one waited.
  while (accepted.last === batch) {
    const [row] = await tx.query(acceptStatement, [accountId]);
    accepted.last = row?.count ?? 0;
    accepted.total += accepted.last;
  }
  return accepted.total;
}

const rejectAllStatement = statement<readonly [accountId: number], { readonly count: number }>(
  'follow_request_reject_all',
  `WITH rejected AS (
     DELETE FROM follow_request WHERE id IN (
       SELECT id FROM follow_request WHERE followed_id = $1 ORDER BY id LIMIT ${String(batch)} FOR UPDATE
     ) RETURNING 1
   )
   SELECT count(*)::int AS count FROM rejected`,
);

/** Drops every pending request, a batch at a time; answers how many. */
export async function rejectAllRequests(db: Queryable, accountId: number): Promise<number> {
  const rejected = { last: batch, total: 0 };
  while (rejected.last === batch) {
    const [row] = await db.query(rejectAllStatement, [accountId]);
    rejected.last = row?.count ?? 0;
    rejected.total += rejected.last;
  }
  return rejected.total;
}
