import type { Queryable } from '@linnet/db/database';
import { batchNumber, batchedWrite, statement } from '@linnet/db/statement';

import { authorColumns, lateralAccount } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { DeleteOutcome } from '../delete-outcome.ts';
import { postRow } from '../locked-rows.ts';

interface CommentColumns {
  readonly id: number;
  readonly text: string;
  readonly createdAt: Date;
}

export type CommentRow = CommentColumns & AuthorColumns;

// One statement, so that the comment and the post's counter change together. The update locks the post first, so that
// it cannot be deleted before the comment is inserted.
const insertSql = `WITH counted AS (
     UPDATE post p SET comments_count = p.comments_count + 1 FROM account a, account me
     WHERE p.id = $1 AND a.id = p.author_id AND ${visibleTo('$2::bigint', 'a')} AND me.id = $2 AND me.deleted_at IS NULL
     RETURNING p.id
   ), c AS (
     INSERT INTO comment (post_id, author_id, text) SELECT counted.id, $2::bigint, $3::text FROM counted
     RETURNING *
   )
   SELECT c.id, c.text, c.created_at AS "createdAt", ${authorColumns('a')} FROM c JOIN account a ON a.id = c.author_id`;

// Several comments at once. The posts are locked in the order of their ids, each once and changed once. A comment gets
// its id before it is stored, by which its row is found.
const insertBatchSql = `wanted AS MATERIALIZED (
     SELECT batch.* FROM batch JOIN post p ON p.id = post_id JOIN ${lateralAccount('p.author_id')} a ON true
       JOIN ${lateralAccount('commenter_id')} me ON true
     WHERE me.deleted_at IS NULL AND ${visibleTo('commenter_id', 'a')}
   ), target AS MATERIALIZED (
     SELECT id FROM post WHERE id = ANY (ARRAY(SELECT post_id FROM wanted)) ORDER BY id FOR NO KEY UPDATE
   ), new AS MATERIALIZED (
     SELECT next_id() AS id, n.* FROM (
       SELECT wanted.* FROM wanted JOIN target ON target.id = post_id ORDER BY number
     ) n
   ), c AS (
     INSERT INTO comment (id, post_id, author_id, text) SELECT id, post_id, commenter_id, text FROM new ORDER BY number
     RETURNING id, created_at
   ), counted AS (
     UPDATE post SET comments_count = comments_count + added.count
     FROM (SELECT post_id, count(*)::int AS count FROM new GROUP BY post_id) added WHERE id = added.post_id
   )
   SELECT number AS "${batchNumber}", c.id, new.text, c.created_at AS "createdAt", ${authorColumns('a')}
   FROM new JOIN c ON c.id = new.id JOIN account a ON a.id = new.commenter_id`;

const insertStatement = batchedWrite<readonly [postId: number, authorId: number, text: string], CommentRow>(
  'comment_create',
  {
    text: insertSql,
    columns: ['post_id bigint', 'commenter_id bigint', 'text text'],
    batchText: insertBatchSql,
    lock: ([postId]) => postRow(postId),
  },
);

/** Stores a comment and counts it. `undefined`: the post does not exist or is hidden from the comment's author. */
export async function insertComment(
  db: Queryable,
  { postId, authorId, text }: { readonly postId: number; readonly authorId: number; readonly text: string },
): Promise<CommentRow | undefined> {
  const [row] = await db.query(insertStatement, [postId, authorId, text]);
  return row;
}

// An account can delete its comment even when it can no longer see the post. The post is locked first (see
// post/reaction-store.ts).
const deleteStatement = statement<readonly [id: number, accountId: number], { outcome: DeleteOutcome }>(
  'comment_delete',
  `WITH target AS MATERIALIZED (
     SELECT c.post_id, c.author_id = $2 AS own, ${visibleTo('$2::bigint', 'a')} AND author.deleted_at IS NULL AS visible
     FROM comment c JOIN account author ON author.id = c.author_id
       JOIN post p ON p.id = c.post_id JOIN account a ON a.id = p.author_id
     WHERE c.id = $1
   ), locked AS MATERIALIZED (
     SELECT id FROM post WHERE id IN (SELECT post_id FROM target WHERE own) FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM comment WHERE id = $1 AND post_id IN (SELECT id FROM locked) RETURNING post_id
   ), counted AS (
     UPDATE post SET comments_count = comments_count - 1 WHERE id IN (SELECT post_id FROM deleted)
   )
   SELECT CASE WHEN own THEN 'deleted' ELSE 'not-owner' END AS outcome FROM target
   WHERE CASE WHEN own THEN EXISTS (SELECT 1 FROM deleted) ELSE visible END`,
  // It is not known which post it locks, so all deletions pass the gate as if they locked the same one.
  () => ['comment/deleted'],
);

/** Deletes a comment of the account. `undefined`: the comment does not exist or is hidden from the account. */
export async function deleteComment(
  db: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<DeleteOutcome | undefined> {
  const [row] = await db.query(deleteStatement, [id, accountId]);
  return row?.outcome;
}
