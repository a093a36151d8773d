import type { Queryable } from '@linnet/db/database';

import { filterInBatch, visibilityFilter } from '../account/account-filter.ts';
import { authorColumns, lateralAccount } from '../account/account-row.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { lateralPost } from '../post/listed-post-sql.ts';
import { postColumns, viewerColumns } from '../post/post-row.ts';
import type { PostRow } from '../post/post-row.ts';

type LikedPost = PostRow & { readonly likeId: number };
type ListRow = LikedPost | { readonly [Key in keyof LikedPost]: null };

const viewer = '$5::bigint';

const ofAccount = 'FROM post_like i WHERE i.account_id = $4';
const filter = filterInBatch(visibilityFilter(viewer), ofAccount, 'author_id');

function source({ where }: Pick<Slice, 'where'>): string {
  return `SELECT i.id, i.post_id ${ofAccount} AND ${where} AND ${filter.isListed}`;
}

// This list has no window: all likes are counted, and all pages can be reached.
const favorites = listStatements<readonly [accountId: number, viewer: Viewer], ListRow>({
  name: 'like_list',
  source,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${filter.ctes('ALL')}, ${edge}
    SELECT (SELECT count(*) FROM (${source({ where: 'true' })}) t) AS total, ${hasPreceding} AS "hasPreceding", i.id AS "likeId",
      ${postColumns('p')}, ${viewerColumns('p', viewer)}, ${authorColumns('a')}
    FROM account liker LEFT JOIN LATERAL (${page}) i ON true
    LEFT JOIN ${lateralPost('i.post_id')} p ON true
    LEFT JOIN ${lateralAccount('p.author_id')} a ON true
    WHERE liker.id = $4 AND liker.deleted_at IS NULL
    ORDER BY i.id ${order}`,
});

/**
 * Returns a page of the posts that an account likes and the viewer may see, the newest like first.
 * `undefined`: the account does not exist.
 */
export async function findLikedPosts(
  db: Queryable,
  { accountId, viewer: reader }: { readonly accountId: number; readonly viewer: Viewer },
  page: Page,
): Promise<Paged<PostRow> | undefined> {
  const found = await findPage(db, favorites, { page, params: [accountId, reader], idColumn: 'likeId' });
  return found && toPaged(found, page, (row) => row.likeId);
}
