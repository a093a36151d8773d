/**
 * Archives the likes, reposts, comments and follows of a soft-deleted account in the table `set_aside`, and restores
 * them when the account is restored. Rows move in batches, and the statement that moves rows also corrects the counters
 * that include them. A batch can be retried and can run concurrently with others. It does nothing unless the account is
 * in the expected state: deleted for archiving, not deleted for restoring.
 */
import type { Queryable } from '@linnet/db/database';
import type { Statement } from '@linnet/db/statement/statement';

export type Params = readonly [accountId: number, limit: number];

export interface Moved {
  readonly moved: number;
}

/** The tables of rows below posts, with the column of their owner and the counter of the post. */
export const postTables = {
  like: { table: 'post_like', owner: 'account_id', counter: 'likes_count' },
  repost: { table: 'repost', owner: 'account_id', counter: 'reposts_count' },
  comment: { table: 'comment', owner: 'author_id', counter: 'comments_count' },
} as const;

export type PostTable = keyof typeof postTables;

/** SQL: locks the account if it is in the expected state. */
export const lockAccount = (deletedAt: 'NULL' | 'NOT NULL') =>
  `me AS MATERIALIZED (SELECT id FROM account WHERE id = $1 AND deleted_at IS ${deletedAt} FOR NO KEY UPDATE)`;

/** SQL: returns one row, whose `moved` is the number of rows in the CTE. */
export const countRows = (cte: string) => `SELECT count(*)::int AS moved FROM ${cte}`;

// The statements look rows up by `ctid`, and locked rows by id, in an array: the planner assumes that an array is
// short, and uses an index for any batch size. No other row can take a `ctid` that this statement's snapshot has seen.

/** SQL: locks the posts of `rows` in the order of their ids before anything is written. */
export const lockPosts = (rows: string) => `locked AS MATERIALIZED (
       SELECT id FROM post WHERE id = ANY (ARRAY(SELECT post_id FROM ${rows})) ORDER BY id FOR NO KEY UPDATE
     )`;

/** SQL: locks both accounts of each follow in `rows`, and the account itself, in the order of their ids. */
export const lockFollowAccounts = (rows: string) => `locked AS MATERIALIZED (
       SELECT id, deleted_at, erased_at FROM account
       WHERE id = ANY (ARRAY(SELECT $1 UNION SELECT follower_id FROM ${rows} UNION SELECT followed_id FROM ${rows}))
       ORDER BY id FOR NO KEY UPDATE
     )`;

/** SQL: adds the follows in `rows` to, or subtracts them from, the counters of both accounts. */
export const countFollows = (rows: string, sign: '+' | '-') => `counted AS (
       UPDATE account a SET following_count = following_count ${sign} c.following,
         followers_count = followers_count ${sign} c.followers
       FROM (
         SELECT id, sum(following)::int AS following, sum(followers)::int AS followers FROM (
           SELECT follower_id AS id, 1 AS following, 0 AS followers FROM ${rows}
           UNION ALL SELECT followed_id, 0, 1 FROM ${rows}
         ) accounts GROUP BY id
       ) c WHERE a.id = c.id
     )`;

/** Moves at most `limit` rows (follows: in each direction). Returns how many. */
export async function moveBatch(
  db: Queryable,
  batch: Statement<Params, Moved>,
  [accountId, limit]: Params,
): Promise<number> {
  const [row] = await db.query(batch, [accountId, limit]);
  if (row === undefined) throw new Error(`${batch.name} returned no row`);
  return row.moved;
}
