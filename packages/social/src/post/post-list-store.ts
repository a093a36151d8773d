import type { Queryable } from '@linnet/db/database';

import { accountJson, accountWith, authorColumns } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-store.ts';
import { pageOf } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { listedPosts, postWith, postsOf, repostsOf } from './listed-post-row.ts';
import type { ListedPostRow, NoListedPost } from './listed-post-row.ts';
import { mentionsColumn, postColumns } from './post-row.ts';

type ListRow = (ListedPostRow | NoListedPost) & {
  /** May the viewer see posts of the account? */
  readonly visible: boolean;
  /** The account that is listed; in the first row alone. */
  readonly subject: AccountRow | null;
};

function source({ where, order, limit }: Slice): string {
  return `(${postsOf({ account: '$4', where, order })} LIMIT ${limit})
    UNION ALL (SELECT * FROM visible_repost i WHERE ${where} ORDER BY i.id ${order} LIMIT ${limit})`;
}

const window = String(listedPosts);

// The counter of the account's own posts is exact, so that its reposts need be counted only when those are
// few. Otherwise none is looked at that is older than the own posts that are enough for the page.
function oldestRepost(needed: string): string {
  return `(SELECT CASE WHEN posts_count >= ${window} THEN (
    SELECT COALESCE(min(id), 0) FROM (
      SELECT id FROM post WHERE author_id = $4 ORDER BY id DESC OFFSET ${needed} - 1 LIMIT 1
    ) own
  ) ELSE 0 END FROM s WHERE visible)`;
}

const total = `CASE WHEN NOT s.visible THEN 0 WHEN s.posts_count >= ${window} THEN ${window} ELSE LEAST(${window},
  s.posts_count + (SELECT count(*) FROM visible_repost)) END`;

const posts = listStatements<readonly [accountId: number, viewer: Viewer], ListRow>({
  name: 'post_list',
  source,
  window: listedPosts,
  text: ({ page, behind, order, needed }) => `
    WITH s AS MATERIALIZED (
      SELECT account.*, COALESCE(${visibleTo('$5::bigint', 'account')}, false) AS visible
      FROM account WHERE id = $4 AND deleted_at IS NULL
    ), visible_repost AS MATERIALIZED (
      ${repostsOf({ account: '$4', where: `i.id > ${oldestRepost(needed)}`, order: 'DESC' }, '$5::bigint')} LIMIT ${window}
    )
    SELECT s.visible, ${total} AS total, ${behind} AS behind,
      CASE WHEN i.position = 1 THEN ${accountJson('s')} END AS subject,
      i.id AS "itemId", i.reposted_at AS "repostedAt", NULL AS reposter,
      ${postColumns('p')}, ${mentionsColumn('p', '$5::bigint')}, ${authorColumns('a')}
    FROM s LEFT JOIN LATERAL (
      SELECT l.*, row_number() OVER () AS position FROM (${page}) l WHERE s.visible
    ) i ON true
    LEFT JOIN ${postWith('i.post_id')} p ON true
    LEFT JOIN ${accountWith('CASE WHEN i.reposted_at IS NOT NULL THEN p.author_id END')} a ON true
    ORDER BY i.id ${order}`,
});

/** The posts and reposts of one account. */
export interface PostsOfAccount extends Paged<ListedPostRow> {
  /** `undefined` when the page is empty. */
  readonly subject: AccountRow | undefined;
}

/**
 * A page of an account's posts and reposts; one statement. `undefined`: there is no such account;
 * `hidden`: it is protected, and the viewer is not approved.
 */
export async function findPosts(
  db: Queryable,
  { accountId, viewer }: { readonly accountId: number; readonly viewer: Viewer },
  page: Page,
): Promise<PostsOfAccount | 'hidden' | undefined> {
  const found = await findPage(db, posts, { page, params: [accountId, viewer], idColumn: 'itemId' });
  if (found === undefined) return undefined;
  if (!found.first.visible) return 'hidden';
  return { ...pageOf(found, page, (row) => row.itemId), subject: found.first.subject ?? undefined };
}
