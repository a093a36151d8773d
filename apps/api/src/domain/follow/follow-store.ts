import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns, authorOf } from '../account/account-row.ts';
import type { AccountRow, AuthorColumns } from '../account/account-row.ts';

type Pair = readonly [followerId: number, followedId: number];

/**
 * Both accounts are locked in the order of their ids before anything is written, or A following B
 * while B follows A would deadlock: each later part reads `locked`, so it is complete first.
 */
function change(write: string, step: '+ 1' | '- 1'): string {
  return `WITH locked AS MATERIALIZED (
     SELECT id FROM account WHERE id IN ($1, $2) ORDER BY id FOR NO KEY UPDATE
   ), changed AS (${write}), counted AS (
     UPDATE account SET
       following_count = following_count ${step.slice(0, 1)} (id = $1)::int,
       followers_count = followers_count ${step.slice(0, 1)} (id = $2)::int
     WHERE id IN (SELECT id FROM locked) AND EXISTS (SELECT 1 FROM changed)
     RETURNING id, followers_count
   )
   SELECT COALESCE((SELECT followers_count FROM counted WHERE id = $2), a.followers_count) AS count
   FROM account a WHERE a.id = $2`;
}

const addStatement = statement<Pair, { count: number }>(
  'follow_add',
  change(
    `INSERT INTO follow (follower_id, followed_id)
     SELECT $1::bigint, $2::bigint WHERE (SELECT count(*) FROM locked) = 2
     ON CONFLICT DO NOTHING RETURNING 1`,
    '+ 1',
  ),
);

/** Follows an account; answers how many follow it. `undefined`: there is no such account. */
export async function addFollow(db: Queryable, followerId: number, followedId: number): Promise<number | undefined> {
  const [row] = await db.query(addStatement, [followerId, followedId]);
  return row?.count;
}

const deleteStatement = statement<Pair, { count: number }>(
  'follow_delete',
  change(
    `DELETE FROM follow WHERE follower_id = $1 AND followed_id = $2 AND (SELECT count(*) FROM locked) = 2 RETURNING 1`,
    '- 1',
  ),
);

/** Follows an account no longer; answers how many still follow it. `undefined`: there is no such account. */
export async function deleteFollow(db: Queryable, followerId: number, followedId: number): Promise<number | undefined> {
  const [row] = await db.query(deleteStatement, [followerId, followedId]);
  return row?.count;
}

const findStatement = statement<Pair, { following: boolean }>(
  'follow_find',
  `SELECT EXISTS (SELECT 1 FROM follow WHERE follower_id = $1 AND followed_id = a.id) AS following
   FROM account a WHERE a.id = $2`,
);

/** `undefined`: there is no such account. */
export async function isFollowing(db: Queryable, followerId: number, followedId: number): Promise<boolean | undefined> {
  const [row] = await db.query(findStatement, [followerId, followedId]);
  return row?.following;
}

type ListRow = { readonly total: number } & (AuthorColumns | { readonly [Key in keyof AuthorColumns]: null });
type ListParams = readonly [accountId: number, limit: number, offset: number];

function list(counter: string, own: string, other: string): string {
  return `SELECT listed.${counter} AS total, ${authorColumns('a')}
   FROM account listed LEFT JOIN LATERAL (
     SELECT ${other} AS other_id, id FROM follow WHERE ${own} = listed.id ORDER BY id DESC LIMIT $2 OFFSET $3
   ) f ON true LEFT JOIN account a ON a.id = f.other_id
   WHERE listed.id = $1
   ORDER BY f.id DESC`;
}

const listStatements = {
  followers: statement<ListParams, ListRow>('followers_list', list('followers_count', 'followed_id', 'follower_id')),
  following: statement<ListParams, ListRow>('following_list', list('following_count', 'follower_id', 'followed_id')),
};

/** A page of who follows an account, or whom it follows, the newest first. `undefined`: there is no such account. */
export async function findFollows(
  db: Queryable,
  { direction, accountId }: { readonly direction: keyof typeof listStatements; readonly accountId: number },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly accounts: readonly AccountRow[] } | undefined> {
  const rows = await db.query(listStatements[direction], [accountId, limit, offset]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return { total: first.total, accounts: rows.filter((row) => row['author.id'] !== null).map(authorOf) };
}
