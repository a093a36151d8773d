/**
 * SQL that changes how two accounts stand to each other: nothing, asked (`follow_request`) or follows
 * (`follow`), never both. $1 is the follower, $2 the account that is followed.
 *
 * Both accounts are locked in the order of their ids before anything is written, or A following B
 * while B follows A would deadlock: each later part asks for `locked`, so it is complete first.
 *
 * A statement sees the rows as they were when it began, before it waited for the locks. A request that
 * was there then and is not there now became a follow, or nothing: such a statement changes nothing,
 * says `stale`, and `settle` sends it again.
 */
const isPair = 'follower_id = $1 AND followed_id = $2';

const bothLocked = '(SELECT count(*) FROM locked) = 2';

const locked = `seen AS MATERIALIZED (
     SELECT ctid FROM account WHERE id = $1
   ), asked AS MATERIALIZED (
     SELECT 1 FROM follow_request WHERE ${isPair}
   ), locked AS MATERIALIZED (
     SELECT id, ctid, protected, followers_count FROM account
     WHERE id IN ($1, $2) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE
   )`;

/** Counts what `changed` wrote, in both accounts. */
function counted(sign: '+' | '-'): string {
  return `counted AS (
     UPDATE account SET
       following_count = following_count ${sign} (id = $1)::int,
       followers_count = followers_count ${sign} (id = $2)::int
     WHERE id IN (SELECT id FROM locked) AND EXISTS (SELECT 1 FROM changed)
   )`;
}

/** The followers of $2 after the change. */
function count(sign: '+' | '-'): string {
  return `(SELECT followers_count FROM locked WHERE id = $2) ${sign} (SELECT count(*)::int FROM changed) AS count`;
}

const requestIsGone = 'EXISTS (SELECT 1 FROM asked) AND NOT EXISTS (SELECT 1 FROM request)';

/**
 * Follows, or asks a protected account. Before asking anew it must be sure that a request was not
 * accepted meanwhile; that would have changed the follower's row (its `following_count`).
 */
export const addFollowSql = `WITH ${locked}, request AS MATERIALIZED (
     SELECT 1 FROM follow_request WHERE ${isPair} AND ${bothLocked} FOR UPDATE
   ), state AS MATERIALIZED (
     SELECT followed.protected, followed.protected AND NOT follows AS ask,
       followed.protected AND NOT follows AND NOT EXISTS (SELECT 1 FROM request)
         AND (EXISTS (SELECT 1 FROM asked) OR follower.ctid <> (SELECT ctid FROM seen)) AS stale
     FROM locked follower, locked followed, (SELECT EXISTS (SELECT 1 FROM follow WHERE ${isPair}) AS follows) AS before
     WHERE follower.id = $1 AND followed.id = $2
   ), asking AS (
     INSERT INTO follow_request (follower_id, followed_id) SELECT $1, $2 FROM state WHERE ask AND NOT stale
     ON CONFLICT DO NOTHING
   ), answered AS (
     DELETE FROM follow_request WHERE ${isPair} AND EXISTS (SELECT 1 FROM state WHERE NOT protected)
   ), changed AS (
     INSERT INTO follow (follower_id, followed_id) SELECT $1, $2 FROM state WHERE NOT protected
     ON CONFLICT DO NOTHING RETURNING 1
   ), ${counted('+')}
   SELECT stale, ask AS requested, ${count('+')} FROM state`;

/** Ends both: the follow and the request. */
export const deleteFollowSql = `WITH ${locked}, request AS (
     DELETE FROM follow_request WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), changed AS (
     DELETE FROM follow WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), ${counted('-')}
   SELECT ${requestIsGone} AS stale, ${count('-')} WHERE ${bothLocked}`;

/** Ends the follow alone. */
export const removeFollowerSql = `WITH ${locked}, changed AS (
     DELETE FROM follow WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), ${counted('-')}
   SELECT ${count('-')} WHERE ${bothLocked}`;

/** Turns the request into a follow. `approved`: it did, or $1 follows already. */
export const approveRequestSql = `WITH ${locked}, request AS (
     DELETE FROM follow_request WHERE ${isPair} AND ${bothLocked} RETURNING 1
   ), changed AS (
     INSERT INTO follow (follower_id, followed_id) SELECT $1, $2 FROM request ON CONFLICT DO NOTHING RETURNING 1
   ), ${counted('+')}
   SELECT ${requestIsGone} AS stale, ${count('+')},
     EXISTS (SELECT 1 FROM request) OR EXISTS (SELECT 1 FROM follow WHERE ${isPair}) AS approved
   WHERE ${bothLocked}`;

export interface Settled {
  /** The pair changed while the statement waited, so it changed nothing. */
  readonly stale: boolean;
}

/** Sends until the statement saw the pair as it is. Each further attempt takes another change of the same pair. */
export async function settle<Row extends Settled>(send: () => Promise<readonly Row[]>): Promise<Row | undefined> {
  for (;;) {
    const [row] = await send();
    if (row?.stale !== true) return row;
  }
}
