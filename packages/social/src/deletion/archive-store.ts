/** Archives the rows of soft-deleted accounts; see archive-sql.ts. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { countFollows, countRows, lockAccount, lockFollowAccounts, lockPosts, postTables } from './archive-sql.ts';
import type { Moved, Params, PostTable } from './archive-sql.ts';

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
       AND (SELECT bool_or(id = $1 AND deleted_at IS NOT NULL) FROM locked) RETURNING f.*
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

/** SQL. */
export const accountsToArchive = `SELECT a.id FROM account a
   WHERE a.deleted_at IS NOT NULL AND a.erased_at IS NULL AND (
     EXISTS (SELECT 1 FROM post_like WHERE account_id = a.id) OR EXISTS (SELECT 1 FROM repost WHERE account_id = a.id)
     OR EXISTS (SELECT 1 FROM comment WHERE author_id = a.id) OR EXISTS (SELECT 1 FROM follow WHERE follower_id = a.id)
     OR EXISTS (SELECT 1 FROM follow WHERE followed_id = a.id)
   )
   ORDER BY a.deleted_at LIMIT 10`;

const toArchiveStatement = statement<readonly [], { id: number }>('archive_pending', accountsToArchive);

/** Returns the ids of up to 10 deleted accounts with rows to archive, the longest deleted first. */
export async function findAccountsToArchive(db: Queryable): Promise<readonly number[]> {
  return (await db.query(toArchiveStatement, [])).map(({ id }) => id);
}
