import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow } from '@linnet/db/statement/statement';

import { filterInBatch, metPostsFilter } from '../account/account-filter.ts';
import { markedPostsColumns } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import type { Viewer } from '../account/visibility.ts';
import { firstOf } from '../list/page-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { maxListedPosts, toPostsPage } from '../list-of-posts/listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from '../list-of-posts/listed-post-row.ts';
import { lateralPost, postColumns, selectListed } from '../list-of-posts/listed-post-sql.ts';

const viewer = '$5::bigint';
const window = String(maxListedPosts);
/** Rows `i` with the columns of the index. */
const tagged = 'FROM (SELECT post_id AS id, author_id FROM post_hashtag WHERE hashtag = $4::text) i WHERE true';
const filter = filterInBatch(metPostsFilter(viewer), tagged, 'author_id');

const source = ({ where, order, limit }: Slice) =>
  `(SELECT i.id, i.author_id ${tagged} AND ${where} AND ${filter.isListed} ORDER BY i.id ${order} LIMIT ${limit})`;
const all = { where: 'true', order: 'DESC', limit: window } as const;

const statements = listStatements<readonly [hashtag: string, viewer: Viewer], ListedPostColumns & MarkedPosts>({
  name: 'hashtag_posts',
  sharedBy: ['text', 'bigint'],
  source,
  window: maxListedPosts,
  text: ({ edge, start, slice, hasPreceding, order }) => `
    WITH ${filter.ctes(window)}, ${edge}, ${start}, listed AS MATERIALIZED (
      SELECT i.id, NULL::bigint AS reposted_by, NULL::timestamptz AS reposted_at, ${postColumns('p')}
      FROM (${firstOf(source(slice), { order })}) i, ${lateralPost('i.id')} p ORDER BY i.id ${order}
    )
    SELECT ${markedPostsColumns(viewer)}, (SELECT count(*) FROM ${source(all)} counted)::int AS total,
      ${hasPreceding} AS "hasPreceding", listed.*
    FROM (${selectListed(viewer)}) listed`,
});

interface HashtagPosts {
  /** Folded, as in `Entities`. */
  readonly hashtag: string;
  readonly viewer: Viewer;
}

/** Returns a page of the posts with a hashtag that the viewer may see, newest first. */
export async function findHashtagPosts(
  db: Queryable,
  { hashtag, viewer: reader }: HashtagPosts,
  page: Page,
): Promise<PostsPage> {
  const found = requireRow(await findRows(db, statements, { page, params: [hashtag, reader] }), statements[page.from]);
  return toPostsPage(found, page, { marked: reader === null ? undefined : found });
}
