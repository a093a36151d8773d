/**
 * SQL that changes the relation of a follower ($1) to another account ($2): none, requested (a row in `follow_request`)
 * or following (a row in `follow`), but never both.
 *
 * Both accounts are locked in the order of their ids before anything is written; otherwise A following B while B
 * follows A would deadlock. Each CTE that writes reads `locked`, so the locks are taken first.
 *
 * A statement's snapshot is older than the locks it waits for. If the snapshot has a follow request that is missing
 * once the locks are held, another statement approved or deleted it in between. Then the statement changes nothing and
 * returns `stale`, and `retryWhileStale` sends it again.
 */
import { accountRow } from '../record.ts';

const isPair = 'follower_id = $1 AND followed_id = $2';

const bothLocked = '(SELECT count(*) FROM locked) = 2';

const locked = `follower_before AS MATERIALIZED (
     SELECT ctid FROM account WHERE id = $1
   ), request_before AS MATERIALIZED (
     SELECT 1 FROM follow_request WHERE ${isPair}
   ), locked AS MATERIALIZED (
     SELECT id, ctid, protected, block_epoch, followers_count FROM account
     WHERE id IN ($1, $2) AND hidden_at IS NULL ORDER BY id FOR NO KEY UPDATE
   )`;

/** SQL: adds the rows of `changed` to, or subtracts them from, the counters of both accounts. */
function counted(sign: '+' | '-'): string {
  return `counted AS (
     UPDATE account SET
       following_count = following_count ${sign} (id = $1)::int,
       followers_count = followers_count ${sign} (id = $2)::int
     WHERE id IN (SELECT id FROM locked) AND EXISTS (SELECT 1 FROM changed)
   )`;
}

/** SQL: the number of followers of $2 after the change. */
function count(sign: '+' | '-'): string {
  return `(SELECT followers_count FROM locked WHERE id = $2) ${sign} (SELECT count(*)::int FROM changed) AS count`;
}

const requestDisappeared = 'EXISTS (SELECT 1 FROM request_before) AND NOT EXISTS (SELECT 1 FROM request)';

/**
 * Follows an account, or requests to follow a protected one. Before it inserts a request, it checks that no earlier
 * request was approved while it waited: that would have changed the follower's row (its `following_count`). A block between
 * the two refuses both, also one that was committed while the statement waited, which `is_blocked` sees.
 */
export const addFollowSql = `WITH ${locked}, request AS MATERIALIZED (
     SELECT 1 FROM follow_request WHERE ${isPair} AND ${bothLocked} FOR UPDATE
   ), state AS MATERIALIZED (
     SELECT followed.protected, followed.protected AND NOT follows AS requested,
       followed.protected AND NOT follows AND NOT EXISTS (SELECT 1 FROM request)
         AND (EXISTS (SELECT 1 FROM request_before) OR follower.ctid <> (SELECT ctid FROM follower_before)) AS stale
     FROM locked follower, locked followed, (SELECT EXISTS (SELECT 1 FROM follow WHERE ${isPair}) AS follows) AS before
     WHERE follower.id = $1 AND followed.id = $2
       AND (follower.block_epoch = 0 OR NOT is_blocked(follower.id, followed.id))
   ), request_added AS (
     INSERT INTO follow_request (id, follower_id, followed_id) SELECT next_id($1), $1, $2 FROM state WHERE requested AND NOT stale
     ON CONFLICT DO NOTHING
   ), request_deleted AS (
     DELETE FROM follow_request WHERE ${isPair} AND EXISTS (SELECT 1 FROM state WHERE NOT protected)
   ), changed AS (
     INSERT INTO follow (id, follower_id, followed_id) SELECT next_id($1), $1, $2 FROM state WHERE NOT protected
     ON CONFLICT DO NOTHING RETURNING 1
   ), ${counted('+')}
   SELECT stale, requested, ${count('+')} FROM state`;

/** Deletes the follow and the follow request. */
export const deleteFollowSql = `WITH ${locked}, request AS (
     DELETE FROM follow_request WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), changed AS (
     DELETE FROM follow WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), ${counted('-')}
   SELECT ${requestDisappeared} AS stale, ${count('-')} WHERE ${bothLocked}`;

/** Deletes the follow only. */
export const removeFollowerSql = `WITH ${locked}, changed AS (
     DELETE FROM follow WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), ${counted('-')}
   SELECT ${count('-')} WHERE ${bothLocked}`;

/** Turns the request into a follow. `approved`: there was a request, or $1 already follows. */
export const approveRequestSql = `WITH ${locked}, request AS (
     DELETE FROM follow_request WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), changed AS (
     INSERT INTO follow (id, follower_id, followed_id, approved) SELECT next_id($1), $1, $2, true FROM request
     ON CONFLICT DO NOTHING RETURNING 1
   ), ${counted('+')}
   SELECT ${requestDisappeared} AS stale, ${count('+')},
     EXISTS (SELECT 1 FROM request) OR EXISTS (SELECT 1 FROM follow WHERE ${isPair}) AS approved
   WHERE ${bothLocked}`;

/** The rows that each of these statements locks, for `Statement.locks`. */
export function lockedByFollow([followerId, followedId]: readonly [followerId: number, followedId: number]): string[] {
  return [...new Set([accountRow(followerId), accountRow(followedId)])];
}

export interface StaleFlag {
  /** The relation changed while the statement waited for its locks. The statement wrote nothing. */
  readonly stale: boolean;
}

/**
 * Repeats a statement until its snapshot is current. Each retry needs another concurrent change of the same pair, so
 * the loop ends. `undefined`: the statement returned no row.
 */
export async function retryWhileStale<Row extends StaleFlag>(
  send: () => Promise<readonly Row[]>,
): Promise<Row | undefined> {
  for (;;) {
    const [row] = await send();
    if (row?.stale !== true) return row;
  }
}
