import { parseRecord } from '../record.ts';

/** The columns that an account object is built from. */
export interface AccountRow {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly description: string;
  readonly country: string;
  readonly verified: boolean;
  readonly followersCount: number;
  readonly followingCount: number;
  readonly postsCount: number;
  /** File name of the photo; null: the account has the default avatar. */
  readonly avatar: string | null;
}

const columns = {
  id: 'id',
  username: 'username',
  displayName: 'display_name',
  firstName: 'first_name',
  lastName: 'last_name',
  description: 'description',
  country: 'country',
  verified: 'verified',
  followersCount: 'followers_count',
  followingCount: 'following_count',
  postsCount: 'posts_count',
  avatar: 'avatar',
} as const satisfies Record<keyof AccountRow, string>;

/** The author's columns in a row that also holds the post, comment or record. */
export type AuthorColumns = { readonly [Key in keyof AccountRow as `author.${Key}`]: AccountRow[Key] };

/** SQL: selects `AuthorColumns` from the table or subquery `alias`; `postsCount` is SQL for that column. */
export function authorColumns(alias: string, postsCount = `${alias}.${columns.postsCount}`): string {
  return Object.entries(columns)
    .map(([key, column]) => `${key === 'postsCount' ? postsCount : `${alias}.${column}`} AS "author.${key}"`)
    .join(', ');
}

/** SQL: joins the account with this id. OFFSET 0 keeps the subquery separate, so that no plan scans all accounts. */
export function lateralAccount(id: string): string {
  return `LATERAL (SELECT * FROM account WHERE id = ${id} OFFSET 0)`;
}

/** SQL: an AccountRow as a JSON object, for rows that contain a list of accounts. */
export function accountJson(alias: string): string {
  const pairs = Object.entries(columns).map(([key, column]) => `'${key}', ${alias}.${column}`);
  return `json_build_object(${pairs.join(', ')})`;
}

/** SQL: an AccountRow as text, for rows that contain a list of accounts; see `toAccountRow`. */
export function accountRecord(alias: string): string {
  return `ROW(${Object.values(columns)
    .map((column) => `${alias}.${column}`)
    .join(', ')})::text`;
}

/** Reads the text of `accountRecord`. */
export function toAccountRow(record: string): AccountRow {
  const fields = parseRecord(record);
  const [id, username = '', displayName, firstName, lastName, description, country, verified, ...rest] = fields;
  const [followersCount, followingCount, postsCount, avatar = null] = rest;
  return {
    id: Number(id),
    username: username ?? '',
    displayName: displayName ?? '',
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    description: description ?? '',
    country: country ?? '',
    verified: verified === 't',
    followersCount: Number(followersCount),
    followingCount: Number(followingCount),
    postsCount: Number(postsCount),
    avatar,
  };
}

/** Extracts the author from a row that also holds other columns. */
export function toAuthor(row: AuthorColumns): AccountRow {
  return {
    id: row['author.id'],
    username: row['author.username'],
    displayName: row['author.displayName'],
    firstName: row['author.firstName'],
    lastName: row['author.lastName'],
    description: row['author.description'],
    country: row['author.country'],
    verified: row['author.verified'],
    followersCount: row['author.followersCount'],
    followingCount: row['author.followingCount'],
    postsCount: row['author.postsCount'],
    avatar: row['author.avatar'],
  };
}
