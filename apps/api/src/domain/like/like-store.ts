import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns } from '../account/account-row.ts';
import { mentionsColumn, postColumns } from '../post/post-row.ts';
import type { PostRow } from '../post/post-row.ts';

type Mark = readonly [accountId: number, postId: number];

// The mark and the counter in one statement; a mark that is there already changes neither (decisions D20).
const addStatement = statement<Mark, { count: number }>(
  'like_add',
  `WITH added AS (
     INSERT INTO post_like (account_id, post_id)
     SELECT a.id, p.id FROM account a, post p WHERE a.id = $1 AND p.id = $2
     ON CONFLICT DO NOTHING RETURNING post_id
   ), counted AS (
     UPDATE post SET likes_count = likes_count + 1 WHERE id IN (SELECT post_id FROM added) RETURNING likes_count
   )
   SELECT COALESCE((SELECT likes_count FROM counted), p.likes_count) AS count FROM post p WHERE p.id = $2`,
);

/** Likes a post; answers how many like it. `undefined`: there is no such post. */
export async function addLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(addStatement, [accountId, postId]);
  return row?.count;
}

const deleteStatement = statement<Mark, { count: number }>(
  'like_delete',
  `WITH deleted AS (
     DELETE FROM post_like WHERE account_id = $1 AND post_id = $2 RETURNING post_id
   ), counted AS (
     UPDATE post SET likes_count = likes_count - 1 WHERE id IN (SELECT post_id FROM deleted) RETURNING likes_count
   )
   SELECT COALESCE((SELECT likes_count FROM counted), p.likes_count) AS count FROM post p WHERE p.id = $2`,
);

/** Takes the mark away; answers how many still like it. `undefined`: there is no such post. */
export async function deleteLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(deleteStatement, [accountId, postId]);
  return row?.count;
}

const findStatement = statement<Mark, { liked: boolean }>(
  'like_find',
  `SELECT EXISTS (SELECT 1 FROM post_like WHERE account_id = $1 AND post_id = p.id) AS liked FROM post p WHERE p.id = $2`,
);

/** `undefined`: there is no such post. */
export async function isLiked(db: Queryable, accountId: number, postId: number): Promise<boolean | undefined> {
  const [row] = await db.query(findStatement, [accountId, postId]);
  return row?.liked;
}

type ListRow = { readonly total: number } & (PostRow | { readonly [Key in keyof PostRow]: null });

const listStatement = statement<readonly [accountId: number, limit: number, offset: number], ListRow>(
  'like_list',
  `SELECT (SELECT count(*) FROM post_like WHERE account_id = liker.id) AS total,
     ${postColumns('p')}, ${mentionsColumn('p')}, ${authorColumns('a')}
   FROM account liker LEFT JOIN LATERAL (
     SELECT post_id, id FROM post_like WHERE account_id = liker.id ORDER BY id DESC LIMIT $2 OFFSET $3
   ) l ON true LEFT JOIN post p ON p.id = l.post_id LEFT JOIN account a ON a.id = p.author_id
   WHERE liker.id = $1
   ORDER BY l.id DESC`,
);

/** A page of the posts an account likes, the newest like first. `undefined`: there is no such account. */
export async function findLikedPosts(
  db: Queryable,
  accountId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly posts: readonly PostRow[] } | undefined> {
  const rows = await db.query(listStatement, [accountId, limit, offset]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return { total: first.total, posts: rows.filter((row) => row.id !== null) };
}
