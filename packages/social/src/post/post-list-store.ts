import type { Queryable } from '@linnet/db/database';

import { filterInBatch, visibilityFilter } from '../account/account-filter.ts';
import { accountJson, authorColumns, lateralAccount } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { lateralPost, lateralRepost, maxListedPosts, selectPosts, selectReposts } from './listed-post-row.ts';
import type { ListedPostRow, NoListedPost } from './listed-post-row.ts';
import { mentionsColumn, postColumns } from './post-row.ts';

type ListRow = (ListedPostRow | NoListedPost) & {
  /** Whether the viewer may see posts of the account. */
  readonly visible: boolean;
  /** The account whose list it is; only in the first row. */
  readonly subject: AccountRow | null;
};

const viewer = '$5::bigint';

const filter = filterInBatch(visibilityFilter(viewer), 'FROM repost i WHERE i.account_id = $4', 'author_id');

function source(slice: Slice): string {
  const items = { account: '$4', ...slice };
  return `${selectPosts(items)} UNION ALL ${selectReposts(items, filter.isListed)}`;
}

const window = String(maxListedPosts);

// The counter of the account's own posts is exact, so its reposts are counted only when the posts do not fill the window.
const postsFillWindow = `posts_count >= ${window}`;
const total = `CASE WHEN NOT s.visible THEN 0 WHEN s.${postsFillWindow} THEN ${window} ELSE LEAST(${window},
  s.posts_count + (SELECT count(*) FROM ${selectReposts({ account: '$4', where: 'true', order: 'DESC', limit: window }, filter.isListed)} reposted)) END`;

// Posts and reposts are merged by id, so a page with the latest n items contains no repost older than the nth post.
const filterReposts = (needed: string) => {
  const latest = `(SELECT CASE WHEN ${postsFillWindow} THEN ${needed} ELSE ${window} END FROM s)`;
  return filter.ctes(
    latest,
    `COALESCE((SELECT id FROM post WHERE author_id = $4 ORDER BY id DESC OFFSET ${latest} LIMIT 1), 0)`,
  );
};

const posts = listStatements<readonly [accountId: number, viewer: Viewer], ListRow>({
  name: 'post_list',
  source,
  window: maxListedPosts,
  text: ({ edge, page, hasPreceding, order, needed }) => `
    WITH s AS MATERIALIZED (
      SELECT account.*, COALESCE(${visibleTo(viewer, 'account')}, false) AS visible
      FROM account WHERE id = $4 AND deleted_at IS NULL
    ), ${filterReposts(needed)}, ${edge}
    SELECT s.visible, ${total} AS total, ${hasPreceding} AS "hasPreceding",
      CASE WHEN i.position = 1 THEN ${accountJson('s')} END AS subject,
      i.id AS "itemId", r.created_at AS "repostedAt", NULL AS reposter,
      ${postColumns('p')}, ${mentionsColumn('p', viewer)}, ${authorColumns('a')}
    FROM s LEFT JOIN LATERAL (
      SELECT l.*, row_number() OVER () AS position FROM (${page}) l WHERE s.visible
    ) i ON true
    LEFT JOIN ${lateralPost('i.post_id')} p ON true
    LEFT JOIN ${lateralRepost('$4')} r ON true
    LEFT JOIN ${lateralAccount('CASE WHEN i.id <> i.post_id THEN p.author_id END')} a ON true
    ORDER BY i.id ${order}`,
});

/** A page of the posts and reposts of one account. */
export interface PostsOfAccount extends Paged<ListedPostRow> {
  /** The account; `undefined` when the page is empty. */
  readonly subject: AccountRow | undefined;
}

/**
 * Returns a page of an account's posts and reposts, newest first. `undefined`: the account does not exist. `hidden`: it
 * is protected and the viewer is not an approved follower.
 */
export async function findPosts(
  db: Queryable,
  { accountId, viewer: reader }: { readonly accountId: number; readonly viewer: Viewer },
  page: Page,
): Promise<PostsOfAccount | 'hidden' | undefined> {
  const found = await findPage(db, posts, { page, params: [accountId, reader], idColumn: 'itemId' });
  if (found === undefined) return undefined;
  if (!found.first.visible) return 'hidden';
  return { ...toPaged(found, page, (row) => row.itemId), subject: found.first.subject ?? undefined };
}
