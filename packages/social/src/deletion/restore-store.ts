/** Restores the rows of accounts that were restored; see archive-sql.ts. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { countFollows, countRows, lockAccount, lockFollowAccounts, lockPosts, postTables } from './archive-sql.ts';
import type { Moved, Params, PostTable } from './archive-sql.ts';

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

// Follows of accounts that have been erased since, or with a block in between, are discarded.
const restoreFollows = statement<Params, Moved>(
  'restore_follow',
  `WITH batch AS MATERIALIZED (
     SELECT ctid AS row_ctid, record FROM set_aside WHERE account_id = $1 AND kind = 'follow' LIMIT $2
   ), rows AS MATERIALIZED (
     SELECT (jsonb_populate_record(NULL::follow, record)).* FROM batch
   ), ${lockFollowAccounts('rows')}, state AS MATERIALIZED (
     SELECT bool_or(id = $1 AND deleted_at IS NULL) AS active FROM locked
   ), erased AS MATERIALIZED (
     SELECT id FROM locked WHERE erased_at IS NOT NULL
   ), restored AS (
     INSERT INTO follow SELECT rows.* FROM rows
     WHERE (SELECT active FROM state)
       AND rows.follower_id NOT IN (SELECT id FROM erased) AND rows.followed_id NOT IN (SELECT id FROM erased)
       AND NOT is_blocked(rows.follower_id, rows.followed_id)
     ON CONFLICT DO NOTHING RETURNING *
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

/** SQL. Skips from account to account in the index instead of reading all rows: one account may have archived millions. */
export const accountsToRestore = `WITH RECURSIVE archived AS (
     (SELECT account_id AS id FROM set_aside ORDER BY account_id LIMIT 1)
     UNION ALL
     SELECT (SELECT s.account_id FROM set_aside s WHERE s.account_id > archived.id ORDER BY s.account_id LIMIT 1)
     FROM archived WHERE archived.id IS NOT NULL
   )
   SELECT a.id FROM archived JOIN account a ON a.id = archived.id WHERE a.deleted_at IS NULL LIMIT 10`;

const toRestoreStatement = statement<readonly [], { id: number }>('restore_pending', accountsToRestore);

/** Returns the ids of up to 10 accounts that are not deleted and have rows to restore. */
export async function findAccountsToRestore(db: Queryable): Promise<readonly number[]> {
  return (await db.query(toRestoreStatement, [])).map(({ id }) => id);
}
