import type { Queryable } from '@linnet/db/database';

import { accountJson, accountWith, authorColumns } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { ifVisibleTo, judgedTogether } from '../account/judged-together.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-store.ts';
import { pageOf } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { listedPosts, postWith, postsOf, repostedWith, repostsOf } from './listed-post-row.ts';
import type { ListedPostRow, NoListedPost } from './listed-post-row.ts';
import { mentionsColumn, postColumns } from './post-row.ts';

type ListRow = (ListedPostRow | NoListedPost) & {
  /** May the viewer see posts of the account? */
  readonly visible: boolean;
  /** The account that is listed; in the first row alone. */
  readonly subject: AccountRow | null;
};

const viewer = '$5::bigint';

const judged = judgedTogether(ifVisibleTo(viewer), 'FROM repost i WHERE i.account_id = $4', 'author_id');

function source(slice: Slice): string {
  const items = { account: '$4', ...slice };
  return `${postsOf(items)} UNION ALL ${repostsOf(items, judged.isListed)}`;
}

const window = String(listedPosts);

// The counter of the account's own posts is exact, so that its reposts need be counted only when those are few.
const counterTells = `posts_count >= ${window}`;
const total = `CASE WHEN NOT s.visible THEN 0 WHEN s.${counterTells} THEN ${window} ELSE LEAST(${window},
  s.posts_count + (SELECT count(*) FROM ${repostsOf({ account: '$4', where: 'true', order: 'DESC', limit: window }, judged.isListed)} reposted)) END`;

// Reposts beside posts are merged with them: those older than as many posts are not reached.
const judgedReposts = (needed: string) => {
  const latest = `(SELECT CASE WHEN ${counterTells} THEN ${needed} ELSE ${window} END FROM s)`;
  return judged.ctes(
    latest,
    `COALESCE((SELECT id FROM post WHERE author_id = $4 ORDER BY id DESC OFFSET ${latest} LIMIT 1), 0)`,
  );
};

const posts = listStatements<readonly [accountId: number, viewer: Viewer], ListRow>({
  name: 'post_list',
  source,
  window: listedPosts,
  text: ({ edge, page, behind, order, needed }) => `
    WITH s AS MATERIALIZED (
      SELECT account.*, COALESCE(${visibleTo(viewer, 'account')}, false) AS visible
      FROM account WHERE id = $4 AND deleted_at IS NULL
    ), ${judgedReposts(needed)}, ${edge}
    SELECT s.visible, ${total} AS total, ${behind} AS behind,
      CASE WHEN i.position = 1 THEN ${accountJson('s')} END AS subject,
      i.id AS "itemId", r.created_at AS "repostedAt", NULL AS reposter,
      ${postColumns('p')}, ${mentionsColumn('p', viewer)}, ${authorColumns('a')}
    FROM s LEFT JOIN LATERAL (
      SELECT l.*, row_number() OVER () AS position FROM (${page}) l WHERE s.visible
    ) i ON true
    LEFT JOIN ${postWith('i.post_id')} p ON true
    LEFT JOIN ${repostedWith('$4')} r ON true
    LEFT JOIN ${accountWith('CASE WHEN i.id <> i.post_id THEN p.author_id END')} a ON true
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
  { accountId, viewer: reader }: { readonly accountId: number; readonly viewer: Viewer },
  page: Page,
): Promise<PostsOfAccount | 'hidden' | undefined> {
  const found = await findPage(db, posts, { page, params: [accountId, reader], idColumn: 'itemId' });
  if (found === undefined) return undefined;
  if (!found.first.visible) return 'hidden';
  return { ...pageOf(found, page, (row) => row.itemId), subject: found.first.subject ?? undefined };
}
