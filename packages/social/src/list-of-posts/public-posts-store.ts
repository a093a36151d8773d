import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, toIdList } from '@linnet/db/statement/statement';
import type { IdList } from '@linnet/db/statement/statement';

import { filterInBatch, publicFilter, metPostsFilter } from '../account/account-filter.ts';
import type { AccountFilter } from '../account/account-filter.ts';
import { markedPostsColumns } from '../account/viewer-marks.ts';
import { nobody } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { firstOf } from '../list/page-sql.ts';
import type { ListDefinition, Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import {
  maxListedPosts,
  toPostsPage,
  isAmong,
  seesOtherQuotes,
  sharedPostColumns,
  toSharedPage,
} from './listed-post-row.ts';
import type { PostsPage, ViewedPostColumns, SharedPostColumns } from './listed-post-row.ts';
import { isAnyId, postColumns, selectListed } from './listed-post-sql.ts';

const window = String(maxListedPosts);
const all = { where: 'true', order: 'DESC', limit: window } as const;
const itemColumns = `i.id, NULL::bigint AS reposted_by, NULL::timestamptz AS reposted_at, ${postColumns('i')}`;

interface Reader {
  /** SQL of the viewer; see `visibleTo`. */
  readonly viewer: string;
  readonly authors: AccountFilter;
  /** SQL: further columns, from the CTE `listed`. */
  readonly columns: string;
}

function defineTimeline({ viewer, authors, columns }: Reader): Pick<ListDefinition, 'source' | 'window' | 'text'> {
  const filter = filterInBatch(authors, `FROM post i WHERE ${isAnyId('i.id')}`, 'author_id');
  const selectPublic = (selected: string, { where, order, limit }: Slice) =>
    `(SELECT ${selected} FROM post i WHERE ${isAnyId('i.id')} AND ${where} AND ${filter.isListed}
      ORDER BY i.id ${order} LIMIT ${limit})`;
  const source = (slice: Slice) => selectPublic('i.id', slice);
  return {
    source,
    window: maxListedPosts,
    text: ({ edge, start, slice, hasPreceding, order }) => `
      WITH ${filter.ctes(window)}, ${edge}, ${start}, listed AS MATERIALIZED (
        SELECT * FROM (${firstOf(selectPublic(itemColumns, slice), { order })}) l ORDER BY id ${order}
      )
      SELECT (SELECT count(*) FROM ${source(all)} counted)::int AS total, ${hasPreceding} AS "hasPreceding",
        ${columns}, listed.*
      FROM (${selectListed(viewer)}) listed`,
  };
}

/** Concurrent requests for a page share its row. */
const forEveryone = listStatements<readonly [viewers: IdList], SharedPostColumns>({
  name: 'public_timeline',
  sharedBy: ['text'],
  gathersIds: true,
  ...defineTimeline({ viewer: nobody, authors: metPostsFilter(nobody), columns: sharedPostColumns('$4::bigint[]') }),
});

const reader = '$4::bigint';

const forViewer = listStatements<readonly [viewer: Viewer], ViewedPostColumns>({
  name: 'public_timeline_for_viewer',
  sharedBy: ['bigint'],
  ...defineTimeline({ viewer: reader, authors: publicFilter(reader), columns: markedPostsColumns(reader) }),
});

/**
 * Returns a page of the latest posts of all accounts that are neither protected nor hidden, newest first. The posts are the
 * same for everybody; `viewer` decides which mentioned accounts are shown, and has its marks. Only a viewer who blocks or mutes
 * anybody, is blocked, or may see a quote that others may not, reads a page of its own.
 */
export async function findPublicPosts(db: Queryable, viewer: Viewer, page: Page): Promise<PostsPage> {
  const viewers = toIdList(viewer === null ? [] : [viewer]);
  const shared = requireRow(await findRows(db, forEveryone, { page, params: [viewers] }), forEveryone[page.from]);
  const readsOwn =
    isAmong(shared.behindBlocks, viewer) || isAmong(shared.muting, viewer) || seesOtherQuotes(shared, viewer);
  if (!readsOwn) return toSharedPage(shared, page, viewer);
  const own = requireRow(await findRows(db, forViewer, { page, params: [viewer] }), forViewer[page.from]);
  return toPostsPage(own, page, { marked: own });
}
