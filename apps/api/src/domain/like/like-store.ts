import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns } from '../account/account-row.ts';
import { addMark, deleteMark, findMark } from '../post/mark-statements.ts';
import { mentionsColumn, postColumns } from '../post/post-row.ts';
import type { PostRow } from '../post/post-row.ts';

type Pair = readonly [accountId: number, postId: number];

const like = { table: 'post_like', counter: 'likes_count' } as const;
const addStatement = statement<Pair, { count: number }>('like_add', addMark(like));
const deleteStatement = statement<Pair, { count: number }>('like_delete', deleteMark(like));
const findStatement = statement<Pair, { set: boolean }>('like_find', findMark(like.table));

/** Likes a post; answers how many like it. `undefined`: the account sees no such post. */
export async function addLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(addStatement, [accountId, postId]);
  return row?.count;
}

/** Takes the mark away; answers how many still like it. `undefined`: no mark, and no post that the account sees. */
export async function deleteLike(db: Queryable, accountId: number, postId: number): Promise<number | undefined> {
  const [row] = await db.query(deleteStatement, [accountId, postId]);
  return row?.count;
}

/** `undefined`: the account sees no such post. */
export async function isLiked(db: Queryable, accountId: number, postId: number): Promise<boolean | undefined> {
  const [row] = await db.query(findStatement, [accountId, postId]);
  return row?.set;
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
