import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';

/** Nothing past the latest 3000 comments is listed (specification, Limits). */
export const listedComments = 3000;

interface CommentColumns {
  readonly id: number;
  readonly text: string;
  readonly createdAt: Date;
}

export type CommentRow = CommentColumns & AuthorColumns;

// One statement: the comment and the post's counter stand or fall together.
const insertStatement = statement<readonly [postId: number, authorId: number, text: string], CommentRow>(
  'comment_create',
  `WITH counted AS (
     UPDATE post SET comments_count = comments_count + 1 WHERE id = $1 RETURNING id
   ), c AS (
     INSERT INTO comment (post_id, author_id, text)
     SELECT counted.id, a.id, $3::text FROM counted JOIN account a ON a.id = $2
     RETURNING *
   )
   SELECT c.id, c.text, c.created_at AS "createdAt", ${authorColumns('a')} FROM c JOIN account a ON a.id = c.author_id`,
);

/** Stores a comment and counts it; `undefined`: there is no such post. */
export async function insertComment(
  db: Queryable,
  { postId, authorId, text }: { readonly postId: number; readonly authorId: number; readonly text: string },
): Promise<CommentRow | undefined> {
  const [row] = await db.query(insertStatement, [postId, authorId, text]);
  return row;
}

type ListRow = { readonly commentsCount: number } & (CommentRow | { readonly [Key in keyof CommentRow]: null });

const listStatement = statement<readonly [postId: number, limit: number, offset: number], ListRow>(
  'comment_list',
  `SELECT p.comments_count AS "commentsCount", c.id, c.text, c.created_at AS "createdAt", ${authorColumns('a')}
   FROM post p LEFT JOIN LATERAL (
     SELECT * FROM comment WHERE post_id = p.id ORDER BY id DESC LIMIT $2 OFFSET $3
   ) c ON true LEFT JOIN account a ON a.id = c.author_id
   WHERE p.id = $1
   ORDER BY c.id DESC`,
);

/** A page of a post's comments, newest first; one statement. `undefined`: there is no such post. */
export async function findComments(
  db: Queryable,
  postId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly commentsCount: number; readonly comments: readonly CommentRow[] } | undefined> {
  const rows = await db.query(listStatement, [postId, limit, offset]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return { commentsCount: first.commentsCount, comments: rows.filter((row) => row.id !== null) };
}
