import type { Quoters } from '@linnet/contract/commenters';
import type { ShownAccount } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/statement/transaction';
import { lookup } from '@linnet/db/statement/statement';

import { postColumns, toPostWithAuthor, viewerColumns } from '../post/post-view.ts';
import type { PostColumns } from '../post/post-view.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';
import { authorColumns, toAuthor } from './account-row.ts';
import type { AuthorColumns } from './account-row.ts';
import { toAccount } from './account-view.ts';
import { accountMarks, toAccountViewer } from './viewer-marks.ts';
import type { Marks } from './viewer-marks.ts';
import { visibleTo } from './visibility.ts';
import type { Viewer } from './visibility.ts';

/** An account with the columns that only `GET /users/show` returns, and its latest post, if the viewer may see one. */
type ShownAccountRow = AuthorColumns & {
  readonly email: string;
  readonly language: string;
  readonly accountCreatedAt: Date;
  readonly protected: boolean;
  readonly quoters: Quoters;
  readonly accountMarks: Marks;
} & (PostColumns | { readonly [Key in keyof PostColumns]: null });

const viewer = '$2::bigint';

function selectShown(condition: string): string {
  return `SELECT a.email, a.language, a.protected, a.quoters, a.created_at AS "accountCreatedAt", ${authorColumns('a')},
     ${accountMarks('a', viewer)} AS "accountMarks", ${postColumns('p', viewer)}, ${viewerColumns('p', viewer)}
   FROM account a LEFT JOIN LATERAL (
     SELECT * FROM post WHERE author_id = a.id AND ${visibleTo(viewer, 'a')} ORDER BY id DESC LIMIT 1
   ) p ON true
   WHERE ${condition} AND a.hidden_at IS NULL`;
}

const byId = lookup<readonly [id: number, viewer: Viewer], ShownAccountRow>(
  'account_show_id',
  ['bigint', 'bigint'],
  selectShown('a.id = $1'),
);
const byUsername = lookup<readonly [usernameCi: string, viewer: Viewer], ShownAccountRow>(
  'account_show_username',
  ['text', 'bigint'],
  selectShown('a.username_ci = $1'),
);

interface ShownKey {
  readonly id: number | undefined;
  readonly username: string | undefined;
  readonly viewer: Viewer;
}

/**
 * Finds an account by id, by username, or by both, which must then identify the same account.
 * `undefined`: the account does not exist.
 * @throws TypeError when both are undefined
 */
export async function findShownAccount(
  db: Queryable,
  { id, username, viewer: reader }: ShownKey,
): Promise<ShownAccountRow | undefined> {
  const usernameCi = username?.toLowerCase();
  if (id === undefined) {
    if (usernameCi === undefined) throw new TypeError('id or username is required');
    const [found] = await db.query(byUsername, [usernameCi, reader]);
    return found;
  }
  const [row] = await db.query(byId, [id, reader]);
  if (row === undefined) return undefined;
  return usernameCi === undefined || row['author.username'].toLowerCase() === usernameCi ? row : undefined;
}

/** What the reader of an account may see of it. */
interface Sight {
  /** The reader is the account itself. */
  readonly isOwn: boolean;
  readonly maySeeEmail: boolean;
}

/** Builds the account object of `GET /users/show`. `email` is "" unless the caller may see it (decisions D9). */
export function toShownAccount(
  row: ShownAccountRow,
  { isOwn, maySeeEmail }: Sight,
  context: ViewContext,
): ShownAccount {
  const account = toAccount(toAuthor(row), context);
  return {
    ...account,
    ...toAccountViewer(row.accountMarks),
    language: row.language,
    email: maySeeEmail ? row.email : '',
    created: toCreated(row.accountCreatedAt),
    created_at: row.accountCreatedAt.toISOString(),
    ...(isOwn ? { protected: row.protected ? 1 : 0, quoters: row.quoters } : {}),
    ...(row.id === null ? {} : { post: toPostWithAuthor(row, account, context) }),
  };
}
