import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns, authorOf } from '../account/account-row.ts';
import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { addFollowSql, deleteFollowSql, settle } from './follow-change.ts';
import type { Settled } from './follow-change.ts';

type Pair = readonly [followerId: number, followedId: number];

interface FollowAdded {
  /** How many follow the account. */
  readonly count: number;
  /** The account is protected: it was asked, and is not followed yet (decisions D25). */
  readonly requested: boolean;
}

const addStatement = statement<Pair, FollowAdded & Settled>('follow_add', addFollowSql);
const deleteStatement = statement<Pair, { readonly count: number } & Settled>('follow_delete', deleteFollowSql);

/** Follows an account, or asks to when it is protected. `undefined`: there is no such account. */
export async function addFollow(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<FollowAdded | undefined> {
  return await settle(async () => await db.query(addStatement, [followerId, followedId]));
}

/**
 * Follows an account no longer, and asks no longer to; answers how many still follow it.
 * `undefined`: there is no such account.
 */
export async function deleteFollow(db: Queryable, followerId: number, followedId: number): Promise<number | undefined> {
  const row = await settle(async () => await db.query(deleteStatement, [followerId, followedId]));
  return row?.count;
}

interface FollowState {
  readonly following: boolean;
  readonly requested: boolean;
}

const findStatement = statement<Pair, FollowState>(
  'follow_find',
  `SELECT EXISTS (SELECT 1 FROM follow WHERE follower_id = $1 AND followed_id = a.id) AS following,
     EXISTS (SELECT 1 FROM follow_request WHERE follower_id = $1 AND followed_id = a.id) AS requested
   FROM account a WHERE a.id = $2 AND a.deleted_at IS NULL`,
);

/** `undefined`: there is no such account. */
export async function findFollow(
  db: Queryable,
  followerId: number,
  followedId: number,
): Promise<FollowState | undefined> {
  const [row] = await db.query(findStatement, [followerId, followedId]);
  return row;
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
