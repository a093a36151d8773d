import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { authorColumns } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { accountMarks } from '../account/viewer-marks.ts';
import type { Marks } from '../account/viewer-marks.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { unknownLimit } from '../list/page-sql.ts';
import { maxListedPosts } from '../list-of-posts/listed-post-row.ts';
import { afterAllIds } from '../list-of-posts/listed-post-sql.ts';
import { mentionsColumn, postColumns } from '../post/post-view.ts';
import type { PostColumns, PostRow } from '../post/post-view.ts';

/** Posts on one page. The statement reads one more, which shows whether there are older ones. */
const postsPerPage = 20;

interface AccountState {
  readonly protected: boolean;
  /** Whether the viewer may see posts of the account. */
  readonly visible: boolean;
  readonly accountMarks: Marks;
}

type Row = AuthorColumns & AccountState & (PostColumns | { readonly [Key in keyof PostColumns]: null });

const visible = visibleTo('$3::bigint', 'a');

// Only the latest 3000 posts are shown, as in GET /post. A range of ids is a condition of the index, which is then read in order.
const profileStatement = statement<readonly [usernameCi: string, before: number | null, viewer: Viewer], Row>(
  'page_profile',
  `SELECT a.protected, COALESCE(${visible}, false) AS visible, ${accountMarks('a', '$3::bigint')} AS "accountMarks",
     ${authorColumns('a')}, ${postColumns('p', '$3::bigint')}, ${mentionsColumn('p', '$3::bigint')}
   FROM account a LEFT JOIN LATERAL (
     SELECT * FROM post WHERE author_id = a.id AND id < COALESCE($2, ${afterAllIds}) AND id >= CASE WHEN $2::bigint IS NULL THEN 0 ELSE COALESCE((
       SELECT id FROM post WHERE author_id = a.id ORDER BY id DESC OFFSET ${unknownLimit(maxListedPosts - 1)} LIMIT 1
     ), 0) END ORDER BY id DESC LIMIT ${unknownLimit(postsPerPage + 1)}
   ) p ON ${visible}
   WHERE a.username_ci = $1 AND a.hidden_at IS NULL
   ORDER BY p.id DESC`,
);

export interface Profile {
  readonly account: AuthorColumns;
  readonly isProtected: boolean;
  /** Whether the viewer may see the posts. */
  readonly isVisible: boolean;
  /** What the viewer has to do with the account. */
  readonly marks: Marks;
  readonly posts: readonly PostRow[];
  /** The cursor of the next page: its posts have smaller ids. `undefined` on the last page. */
  readonly olderThan: number | undefined;
}

interface ProfileQuery {
  readonly username: string;
  /** Null: everybody. */
  readonly viewer: Viewer;
  /** Only posts older than this one. */
  readonly before: number | undefined;
}

/**
 * What a page shows of an account, in one statement. `undefined`: there is no such account.
 */
export async function findProfile(
  db: Queryable,
  { username, viewer, before }: ProfileQuery,
): Promise<Profile | undefined> {
  const rows = await db.query(profileStatement, [username.toLowerCase(), before ?? null, viewer]);
  const [first] = rows;
  if (first === undefined) return undefined;
  const posts = rows.filter((row): row is Row & PostRow => row.id !== null);
  const shown = posts.slice(0, postsPerPage);
  return {
    account: first,
    isProtected: first.protected,
    isVisible: first.visible,
    marks: first.accountMarks,
    posts: shown,
    olderThan: posts.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}

const formerStatement = statement<readonly [usernameCi: string], { username: string }>(
  'page_former_username',
  `SELECT a.username FROM old_username o JOIN account a ON a.id = o.account_id
   WHERE o.username_ci = $1 AND o.until > now() AND a.hidden_at IS NULL`,
);

/** The current username of the account that recently gave this one up, if any. */
export async function findCurrentUsername(db: Queryable, username: string): Promise<string | undefined> {
  const [row] = await db.query(formerStatement, [username.toLowerCase()]);
  return row?.username;
}
