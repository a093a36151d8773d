import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns } from '@linnet/social/account/account-row';
import type { AuthorColumns } from '@linnet/social/account/account-row';
import { maxListedPosts } from '@linnet/social/post/listed-post-row';
import { mentionsColumn, postColumns } from '@linnet/social/post/post-row';
import type { PostColumns, PostRow } from '@linnet/social/post/post-row';

/** Posts on one page. The statement reads one more, which shows whether there are older ones. */
const postsPerPage = 20;

type Row = AuthorColumns & { readonly protected: boolean } & (
    | PostColumns
    | { readonly [Key in keyof PostColumns]: null }
  );

// Only the latest 3000 posts are shown, as in GET /post.
const profileStatement = statement<readonly [usernameCi: string, before: number | null], Row>(
  'page_profile',
  `SELECT a.protected, ${authorColumns('a')}, ${postColumns('p')}, ${mentionsColumn('p', 'NULL::bigint')}
   FROM account a LEFT JOIN LATERAL (
     SELECT * FROM post WHERE author_id = a.id AND ($2::bigint IS NULL OR (id < $2 AND id >= COALESCE((
       SELECT id FROM post WHERE author_id = a.id ORDER BY id DESC OFFSET ${String(maxListedPosts - 1)} LIMIT 1
     ), 0))) ORDER BY id DESC LIMIT ${String(postsPerPage + 1)}
   ) p ON NOT a.protected
   WHERE a.username_ci = $1 AND a.deleted_at IS NULL AND a.suspended_at IS NULL
   ORDER BY p.id DESC`,
);

export interface Profile {
  readonly account: AuthorColumns;
  readonly isProtected: boolean;
  readonly posts: readonly PostRow[];
  /** The cursor of the next page: its posts have smaller ids. `undefined` on the last page. */
  readonly olderThan: number | undefined;
}

/** The public part of an account, in one statement. `before` selects posts older than that id. */
export async function findProfile(
  db: Queryable,
  username: string,
  before: number | undefined,
): Promise<Profile | undefined> {
  const rows = await db.query(profileStatement, [username.toLowerCase(), before ?? null]);
  const [first] = rows;
  if (first === undefined) return undefined;
  const posts = rows.filter((row): row is Row & PostRow => row.id !== null);
  const shown = posts.slice(0, postsPerPage);
  return {
    account: first,
    isProtected: first.protected,
    posts: shown,
    olderThan: posts.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}

const formerStatement = statement<readonly [usernameCi: string], { username: string }>(
  'page_former_username',
  `SELECT a.username FROM old_username o JOIN account a ON a.id = o.account_id
   WHERE o.username_ci = $1 AND o.until > now() AND a.deleted_at IS NULL AND a.suspended_at IS NULL`,
);

/** The current username of the account that recently gave this one up, if any. */
export async function findCurrentUsername(db: Queryable, username: string): Promise<string | undefined> {
  const [row] = await db.query(formerStatement, [username.toLowerCase()]);
  return row?.username;
}
