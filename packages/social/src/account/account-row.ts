/** What an account object is made of. */
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
  /** The name of its photo. */
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

/** A post's author, side by side with the post in one row. */
export type AuthorColumns = { readonly [Key in keyof AccountRow as `author.${Key}`]: AccountRow[Key] };

/** Selects the author's columns from the table or subquery `alias`. */
export function authorColumns(alias: string): string {
  return Object.entries(columns)
    .map(([key, column]) => `${alias}.${column} AS "author.${key}"`)
    .join(', ');
}

/** SQL to join the account with this id: a subquery of its own, so that no plan reads all accounts. */
export function accountWith(id: string): string {
  return `LATERAL (SELECT * FROM account WHERE id = ${id} OFFSET 0)`;
}

/** An AccountRow as one JSON object, for accounts in a list inside a row. */
export function accountJson(alias: string): string {
  const pairs = Object.entries(columns).map(([key, column]) => `'${key}', ${alias}.${column}`);
  return `json_build_object(${pairs.join(', ')})`;
}

export function authorOf(row: AuthorColumns): AccountRow {
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
