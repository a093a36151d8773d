/**
 * What a deleted account liked, reposted, commented and followed is moved to `set_aside`, and moved back
 * when it is restored: a batch at a time, each counter corrected in the statement that moves the rows it
 * counts. A batch may be tried again at any time and run beside others; it does nothing unless the
 * account is in the state that it is for.
 */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';
import type { Statement } from '@linnet/db/statement';

type Params = readonly [accountId: number, limit: number];

interface Moved {
  readonly moved: number;
}

/** Rows on posts: where they are, whose they are, and what counts them. */
const onPosts = {
  like: { table: 'post_like', owner: 'account_id', counter: 'likes_count' },
  repost: { table: 'repost', owner: 'account_id', counter: 'reposts_count' },
  comment: { table: 'comment', owner: 'author_id', counter: 'comments_count' },
} as const;

type OnPosts = keyof typeof onPosts;

/** The account itself, locked, when it is in the state that the batch is for. */
const me = (state: 'NULL' | 'NOT NULL') =>
  `me AS MATERIALIZED (SELECT id FROM account WHERE id = $1 AND deleted_at IS ${state} FOR NO KEY UPDATE)`;

/** SQL: one row with `moved`, of a CTE with a row for each that was moved. */
const countOf = (cte: string) => `SELECT count(*)::int AS moved FROM ${cte}`;

// Rows are found again by where they lie, and what is locked by its id: a list of them that the planner takes for
// short, however much there is. Nothing else can be where a row was that this statement has seen.

/** The posts of `rows`, locked in the order of their ids before anything is written. */
const lockedPosts = (rows: string) => `locked AS MATERIALIZED (
       SELECT id FROM post WHERE id = ANY (ARRAY(SELECT post_id FROM ${rows})) ORDER BY id FOR NO KEY UPDATE
     )`;

const dropBatch = `DELETE FROM set_aside WHERE ctid = ANY (ARRAY(SELECT place FROM batch)) AND account_id = $1`;

function setAsideOnPosts(kind: OnPosts) {
  const { table, owner, counter } = onPosts[kind];
  return statement<Params, Moved>(
    `set_aside_${kind}`,
    `WITH ${me('NOT NULL')}, batch AS MATERIALIZED (
       SELECT ctid AS place, post_id FROM ${table} WHERE ${owner} = (SELECT id FROM me) LIMIT $2
     ), ${lockedPosts('batch')}, gone AS (
       DELETE FROM ${table} r WHERE r.ctid = ANY (ARRAY(SELECT place FROM batch))
         AND r.${owner} = $1 AND r.post_id IN (SELECT id FROM locked) RETURNING r.*
     ), kept AS (
       INSERT INTO set_aside (account_id, kind, id, record) SELECT $1, '${kind}', gone.id, to_jsonb(gone) FROM gone
     ), counted AS (
       UPDATE post p SET ${counter} = p.${counter} - c.rows
       FROM (SELECT post_id, count(*)::int AS rows FROM gone GROUP BY post_id) c WHERE p.id = c.post_id
     )
     ${countOf('gone')}`,
  );
}

// What was on a post that is no more is dropped.
function putBackOnPosts(kind: OnPosts) {
  const { table, counter } = onPosts[kind];
  return statement<Params, Moved>(
    `put_back_${kind}`,
    `WITH ${me('NULL')}, batch AS MATERIALIZED (
       SELECT ctid AS place, record FROM set_aside
       WHERE account_id = (SELECT id FROM me) AND kind = '${kind}' LIMIT $2
     ), rows AS MATERIALIZED (
       SELECT (jsonb_populate_record(NULL::${table}, record)).* FROM batch
     ), ${lockedPosts('rows')}, back AS (
       INSERT INTO ${table} SELECT rows.* FROM rows WHERE post_id IN (SELECT id FROM locked)
       ON CONFLICT DO NOTHING RETURNING post_id
     ), counted AS (
       UPDATE post p SET ${counter} = p.${counter} + c.rows
       FROM (SELECT post_id, count(*)::int AS rows FROM back GROUP BY post_id) c WHERE p.id = c.post_id
     ), dropped AS (
       ${dropBatch} RETURNING 1
     )
     ${countOf('dropped')}`,
  );
}

/** Both ends of each follow in `rows` are locked in the order of their ids, the account itself among them. */
const lockedEnds = (rows: string) => `locked AS MATERIALIZED (
       SELECT id, deleted_at, erased_at FROM account
       WHERE id = ANY (ARRAY(SELECT $1 UNION SELECT follower_id FROM ${rows} UNION SELECT followed_id FROM ${rows}))
       ORDER BY id FOR NO KEY UPDATE
     )`;

const countEnds = (rows: string, sign: '+' | '-') => `counted AS (
       UPDATE account a SET following_count = following_count ${sign} c.following,
         followers_count = followers_count ${sign} c.followers
       FROM (
         SELECT id, sum(following)::int AS following, sum(followers)::int AS followers FROM (
           SELECT follower_id AS id, 1 AS following, 0 AS followers FROM ${rows}
           UNION ALL SELECT followed_id, 0, 1 FROM ${rows}
         ) ends GROUP BY id
       ) c WHERE a.id = c.id
     )`;

const setAsideFollows = statement<Params, Moved>(
  'set_aside_follow',
  `WITH batch AS MATERIALIZED (
     (SELECT ctid AS place, follower_id, followed_id FROM follow WHERE follower_id = $1 LIMIT $2)
     UNION ALL (SELECT ctid, follower_id, followed_id FROM follow WHERE followed_id = $1 LIMIT $2)
   ), ${lockedEnds('batch')}, gone AS (
     DELETE FROM follow f WHERE f.ctid = ANY (ARRAY(SELECT place FROM batch)) AND $1 IN (f.follower_id, f.followed_id)
       AND (SELECT bool_or(id = $1 AND deleted_at IS NOT NULL) FROM locked) RETURNING f.*
   ), kept AS (
     INSERT INTO set_aside (account_id, kind, id, record) SELECT $1, 'follow', gone.id, to_jsonb(gone) FROM gone
   ), ${countEnds('gone', '-')}
   ${countOf('gone')}`,
);

// A follow of an account that was erased meanwhile is dropped.
const putBackFollows = statement<Params, Moved>(
  'put_back_follow',
  `WITH batch AS MATERIALIZED (
     SELECT ctid AS place, record FROM set_aside WHERE account_id = $1 AND kind = 'follow' LIMIT $2
   ), rows AS MATERIALIZED (
     SELECT (jsonb_populate_record(NULL::follow, record)).* FROM batch
   ), ${lockedEnds('rows')}, allowed AS MATERIALIZED (
     SELECT bool_or(id = $1 AND deleted_at IS NULL) AS yes FROM locked
   ), erased AS MATERIALIZED (
     SELECT id FROM locked WHERE erased_at IS NOT NULL
   ), back AS (
     INSERT INTO follow SELECT rows.* FROM rows
     WHERE (SELECT yes FROM allowed)
       AND rows.follower_id NOT IN (SELECT id FROM erased) AND rows.followed_id NOT IN (SELECT id FROM erased)
     ON CONFLICT DO NOTHING RETURNING *
   ), ${countEnds('back', '+')}, dropped AS (
     ${dropBatch} AND (SELECT yes FROM allowed) RETURNING 1
   )
   ${countOf('dropped')}`,
);

/** Statements that each move one kind of row out of the tables that are counted, and back. */
export const setAsideBatches = [
  setAsideOnPosts('like'),
  setAsideOnPosts('repost'),
  setAsideOnPosts('comment'),
  setAsideFollows,
] as const;
export const putBackBatches = [
  putBackOnPosts('like'),
  putBackOnPosts('repost'),
  putBackOnPosts('comment'),
  putBackFollows,
] as const;

/** Moves at most `limit` rows of each direction; answers how many. */
export async function moveBatch(
  db: Queryable,
  batch: Statement<Params, Moved>,
  [accountId, limit]: Params,
): Promise<number> {
  const [row] = await db.query(batch, [accountId, limit]);
  return row?.moved ?? 0;
}

const leavingStatement = statement<readonly [], { id: number }>(
  'set_aside_leaving',
  `SELECT a.id FROM account a
   WHERE a.deleted_at IS NOT NULL AND a.erased_at IS NULL AND (
     EXISTS (SELECT 1 FROM post_like WHERE account_id = a.id) OR EXISTS (SELECT 1 FROM repost WHERE account_id = a.id)
     OR EXISTS (SELECT 1 FROM comment WHERE author_id = a.id) OR EXISTS (SELECT 1 FROM follow WHERE follower_id = a.id)
     OR EXISTS (SELECT 1 FROM follow WHERE followed_id = a.id)
   )
   ORDER BY a.deleted_at LIMIT 10`,
);

/** Some deleted accounts that something still counts, the longest deleted first. */
export async function findLeaving(db: Queryable): Promise<readonly number[]> {
  return (await db.query(leavingStatement, [])).map(({ id }) => id);
}

// From account to account, not row by row: one of them may have set millions aside.
const returningStatement = statement<readonly [], { id: number }>(
  'set_aside_returning',
  `WITH RECURSIVE keeper AS (
     (SELECT account_id AS id FROM set_aside ORDER BY account_id LIMIT 1)
     UNION ALL
     SELECT (SELECT s.account_id FROM set_aside s WHERE s.account_id > keeper.id ORDER BY s.account_id LIMIT 1)
     FROM keeper WHERE keeper.id IS NOT NULL
   )
   SELECT a.id FROM keeper JOIN account a ON a.id = keeper.id WHERE a.deleted_at IS NULL LIMIT 10`,
);

/** Some restored accounts that do not have everything back. */
export async function findReturning(db: Queryable): Promise<readonly number[]> {
  return (await db.query(returningStatement, [])).map(({ id }) => id);
}
