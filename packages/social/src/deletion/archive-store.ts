import { isErasable } from '@linnet/accounts/deletion-period';
import { requireRow, statement } from '@linnet/db/statement/statement';
import type { Statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

/**
 * Archives the likes, reposts, comments and follows of a hidden account in the table `set_aside`, and restores them when
 * the account is back. Rows move in batches, and the statement that moves rows also corrects the counters that include
 * them. A batch can be retried and can run concurrently with others. It does nothing unless the account is in the
 * expected state: hidden for archiving, not hidden for restoring.
 */
type Params = readonly [accountId: number, limit: number];

interface Moved {
  readonly moved: number;
}

/** The tables of rows below posts, with the column of their owner and the counter of the post. */
const postTables = {
  like: { table: 'post_like', owner: 'account_id', counter: 'likes_count' },
  repost: { table: 'repost', owner: 'account_id', counter: 'reposts_count' },
  comment: { table: 'comment', owner: 'author_id', counter: 'comments_count' },
} as const;

type PostTable = keyof typeof postTables;

/** SQL: locks the account if it is in the expected state. */
const lockAccount = (hiddenAt: 'NULL' | 'NOT NULL') =>
  `me AS MATERIALIZED (SELECT id FROM account WHERE id = $1 AND hidden_at IS ${hiddenAt} FOR NO KEY UPDATE)`;

/** SQL: returns one row, whose `moved` is the number of rows in the CTE. */
const countRows = (cte: string) => `SELECT count(*)::int AS moved FROM ${cte}`;

// The statements look rows up by `ctid`, and locked rows by id, in an array: the planner assumes that an array is
// short, and uses an index for any batch size. No other row can take a `ctid` that this statement's snapshot has seen.

/** SQL: locks the posts of `rows` in the order of their ids before anything is written. */
export const lockPosts = (rows: string) => `locked AS MATERIALIZED (
       SELECT id FROM post WHERE id = ANY (ARRAY(SELECT post_id FROM ${rows})) ORDER BY id FOR NO KEY UPDATE
     )`;

/** SQL: locks both accounts of each follow in `rows`, and the account itself, in the order of their ids. */
const lockFollowAccounts = (rows: string) => `locked AS MATERIALIZED (
       SELECT id, hidden_at, deleted_at, erased_at FROM account
       WHERE id = ANY (ARRAY(SELECT $1 UNION SELECT follower_id FROM ${rows} UNION SELECT followed_id FROM ${rows}))
       ORDER BY id FOR NO KEY UPDATE
     )`;

/** SQL: adds the follows in `rows` to, or subtracts them from, the counters of both accounts. */
const countFollows = (rows: string, sign: '+' | '-') => `counted AS (
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

function archiveFromPosts(kind: PostTable) {
  const { table, owner, counter } = postTables[kind];
  return statement<Params, Moved>(
    `archive_${kind}`,
    `WITH ${lockAccount('NOT NULL')}, batch AS MATERIALIZED (
       SELECT ctid AS row_ctid, post_id FROM ${table} WHERE ${owner} = (SELECT id FROM me) LIMIT $2
     ), ${lockPosts('batch')}, deleted AS (
       DELETE FROM ${table} r WHERE r.ctid = ANY (ARRAY(SELECT row_ctid FROM batch))
         AND r.${owner} = $1 AND r.post_id IN (SELECT id FROM locked) RETURNING r.*
     ), archived AS (
       INSERT INTO set_aside (account_id, kind, id, record)
       SELECT $1, '${kind}', deleted.id, to_jsonb(deleted) FROM deleted
     ), counted AS (
       UPDATE post p SET ${counter} = p.${counter} - c.rows
       FROM (SELECT post_id, count(*)::int AS rows FROM deleted GROUP BY post_id) c WHERE p.id = c.post_id
     )
     ${countRows('deleted')}`,
  );
}

const archiveFollows = statement<Params, Moved>(
  'archive_follow',
  `WITH batch AS MATERIALIZED (
     (SELECT ctid AS row_ctid, follower_id, followed_id FROM follow WHERE follower_id = $1 LIMIT $2)
     UNION ALL (SELECT ctid, follower_id, followed_id FROM follow WHERE followed_id = $1 LIMIT $2)
   ), ${lockFollowAccounts('batch')}, deleted AS (
     DELETE FROM follow f WHERE f.ctid = ANY (ARRAY(SELECT row_ctid FROM batch)) AND $1 IN (f.follower_id, f.followed_id)
       AND (SELECT bool_or(id = $1 AND hidden_at IS NOT NULL) FROM locked) RETURNING f.*
   ), archived AS (
     INSERT INTO set_aside (account_id, kind, id, record) SELECT $1, 'follow', deleted.id, to_jsonb(deleted) FROM deleted
   ), ${countFollows('deleted', '-')}
   ${countRows('deleted')}`,
);

/** Statements that each archive one kind of row. */
export const archiveBatches = [
  archiveFromPosts('like'),
  archiveFromPosts('repost'),
  archiveFromPosts('comment'),
  archiveFollows,
] as const;

const hasRows = `(EXISTS (SELECT 1 FROM post_like WHERE account_id = a.id) OR EXISTS (SELECT 1 FROM repost WHERE account_id = a.id)
   OR EXISTS (SELECT 1 FROM comment WHERE author_id = a.id) OR EXISTS (SELECT 1 FROM follow WHERE follower_id = a.id)
   OR EXISTS (SELECT 1 FROM follow WHERE followed_id = a.id))`;
const hasArchive = `EXISTS (SELECT 1 FROM set_aside WHERE account_id = a.id)`;

/** SQL. */
const accountsToArchive = `SELECT a.id FROM account a
   WHERE a.moving_since IS NOT NULL AND a.hidden_at IS NOT NULL AND a.erased_at IS NULL AND ${hasRows}
   ORDER BY a.moving_since LIMIT 10`;

const toArchiveStatement = statement<readonly [], { id: number }>('archive_pending', accountsToArchive);

/** Returns the ids of up to 10 hidden accounts with rows to archive, the longest hidden first. */
export async function findAccountsToArchive(db: Queryable): Promise<readonly number[]> {
  return (await db.query(toArchiveStatement, [])).map(({ id }) => id);
}

const deleteBatch = `DELETE FROM set_aside WHERE ctid = ANY (ARRAY(SELECT row_ctid FROM batch)) AND account_id = $1`;

// Rows of posts that no longer exist are discarded.
function restoreToPosts(kind: PostTable) {
  const { table, counter } = postTables[kind];
  return statement<Params, Moved>(
    `restore_${kind}`,
    `WITH ${lockAccount('NULL')}, batch AS MATERIALIZED (
       SELECT ctid AS row_ctid, record FROM set_aside
       WHERE account_id = (SELECT id FROM me) AND kind = '${kind}' LIMIT $2
     ), rows AS MATERIALIZED (
       SELECT (jsonb_populate_record(NULL::${table}, record)).* FROM batch
     ), ${lockPosts('rows')}, restored AS (
       INSERT INTO ${table} SELECT rows.* FROM rows WHERE post_id IN (SELECT id FROM locked)
       ON CONFLICT DO NOTHING RETURNING post_id
     ), counted AS (
       UPDATE post p SET ${counter} = p.${counter} + c.rows
       FROM (SELECT post_id, count(*)::int AS rows FROM restored GROUP BY post_id) c WHERE p.id = c.post_id
     ), removed AS (
       ${deleteBatch} RETURNING 1
     )
     ${countRows('removed')}`,
  );
}

// Follows of accounts that have been or are being erased, or with a block in between, are discarded. Those of accounts that are
// hidden now belong to the archive of these.
const restoreFollows = statement<Params, Moved>(
  'restore_follow',
  `WITH batch AS MATERIALIZED (
     SELECT ctid AS row_ctid, record FROM set_aside WHERE account_id = $1 AND kind = 'follow' LIMIT $2
   ), rows AS MATERIALIZED (
     SELECT (jsonb_populate_record(NULL::follow, record)).* FROM batch
   ), ${lockFollowAccounts('rows')}, state AS MATERIALIZED (
     SELECT bool_or(id = $1 AND hidden_at IS NULL) AS active FROM locked
   ), hidden AS MATERIALIZED (
     SELECT id, (erased_at IS NOT NULL OR ${isErasable('locked')}) IS TRUE AS is_erased FROM locked WHERE hidden_at IS NOT NULL
   ), open AS MATERIALIZED (
     SELECT rows.* FROM rows WHERE (SELECT active FROM state) AND NOT is_blocked(rows.follower_id, rows.followed_id)
   ), restored AS (
     INSERT INTO follow SELECT * FROM open
     WHERE follower_id NOT IN (SELECT id FROM hidden) AND followed_id NOT IN (SELECT id FROM hidden)
     ON CONFLICT DO NOTHING RETURNING *
   ), kept AS (
     INSERT INTO set_aside (account_id, kind, id, record) SELECT hidden.id, 'follow', open.id, to_jsonb(open)
     FROM open JOIN hidden ON hidden.id IN (open.follower_id, open.followed_id) WHERE NOT hidden.is_erased
     ON CONFLICT DO NOTHING
   ), ${countFollows('restored', '+')}, removed AS (
     ${deleteBatch} AND (SELECT active FROM state) RETURNING 1
   )
   ${countRows('removed')}`,
);

/** Statements that each restore one kind of row. */
export const restoreBatches = [
  restoreToPosts('like'),
  restoreToPosts('repost'),
  restoreToPosts('comment'),
  restoreFollows,
] as const;

/** SQL. */
const accountsToRestore = `SELECT a.id FROM account a
   WHERE a.moving_since IS NOT NULL AND a.hidden_at IS NULL AND ${hasArchive} ORDER BY a.moving_since LIMIT 10`;

const toRestoreStatement = statement<readonly [], { id: number }>('restore_pending', accountsToRestore);

/** Returns the ids of up to 10 accounts that are not hidden and have rows to restore. */
export async function findAccountsToRestore(db: Queryable): Promise<readonly number[]> {
  return (await db.query(toRestoreStatement, [])).map(({ id }) => id);
}

/** SQL. The wait is for transactions that read the account before it was hidden, and write rows after all others have moved. */
const movedAccounts = `SELECT a.id FROM account a WHERE a.moving_since < now() - interval '5 minutes'
   AND NOT (CASE WHEN a.hidden_at IS NULL THEN ${hasArchive} ELSE ${hasRows} END)`;

const endMovesStatement = statement<readonly [], never>(
  'archive_end_moves',
  `UPDATE account SET moving_since = NULL WHERE id IN (${movedAccounts} FOR NO KEY UPDATE SKIP LOCKED)`,
);

/** No longer looks at accounts that have nothing left to archive or restore. */
export async function endMoves(db: Queryable): Promise<void> {
  await db.query(endMovesStatement, []);
}

const pendingStatement = statement<readonly [], { readonly pending: boolean }>(
  'deletions_pending',
  `SELECT EXISTS (${accountsToRestore}) OR EXISTS (${accountsToArchive}) OR EXISTS (${movedAccounts}) OR EXISTS (
     SELECT 1 FROM account a WHERE a.deleted_at IS NOT NULL AND a.erased_at IS NULL AND ${isErasable('a')}) AS pending`,
);

/** Whether accounts wait to be restored, archived or erased. */
export async function arePending(db: Queryable): Promise<boolean> {
  return requireRow(await db.query(pendingStatement, []), pendingStatement).pending;
}
