import type { Queryable } from '@linnet/db/database';
import { requireRow, toIdList } from '@linnet/db/statement';
import type { IdList } from '@linnet/db/statement';

import { filterInBatch, visibilityFilter } from '../account/account-filter.ts';
import type { Viewer } from '../account/visibility.ts';
import { firstOf } from '../list/page-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { findRows, listStatements } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { maxListedPosts } from './listed-post-row.ts';
import type { PostsPage } from './listed-post-row.ts';
import { isAnyId, postColumns, selectListed } from './listed-post-sql.ts';
import { sharedPostColumns, toSharedPage } from './shared-page.ts';
import type { SharedPostColumns } from './shared-page.ts';

const nobody = 'NULL::bigint';
const window = String(maxListedPosts);
const filter = filterInBatch(visibilityFilter(nobody), `FROM post i WHERE ${isAnyId('i.id')}`, 'author_id');

function selectPublic(columns: string, { where, order, limit }: Slice): string {
  return `(SELECT ${columns} FROM post i WHERE ${isAnyId('i.id')} AND ${where} AND ${filter.isListed}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

const source = (slice: Slice) => selectPublic('i.id', slice);
const all = { where: 'true', order: 'DESC', limit: window } as const;
const itemColumns = `i.id, NULL::bigint AS reposted_by, NULL::timestamptz AS reposted_at, ${postColumns('i')}`;

/** Concurrent requests for a page share its row. */
const statements = listStatements<readonly [viewers: IdList], SharedPostColumns>({
  name: 'public_timeline',
  sharedBy: ['text'],
  gathersIds: true,
  source,
  window: maxListedPosts,
  text: ({ edge, start, slice, hasPreceding, order }) => `
    WITH ${filter.ctes(window)}, ${edge}, ${start}, listed AS MATERIALIZED (
      SELECT * FROM (${firstOf(selectPublic(itemColumns, slice), { order })}) l ORDER BY id ${order}
    )
    SELECT (SELECT count(*) FROM ${source(all)} counted)::int AS total, ${hasPreceding} AS "hasPreceding",
      ${sharedPostColumns('$4::bigint[]')}, listed.*
    FROM (${selectListed(nobody)}) listed`,
});

/**
 * Returns a page of the latest posts of all accounts that are neither protected nor deleted, newest first. The posts are the
 * same for everybody; `viewer` decides which mentioned accounts are shown, and has its marks.
 */
export async function findPublicPosts(db: Queryable, viewer: Viewer, page: Page): Promise<PostsPage> {
  const viewers = toIdList(viewer === null ? [] : [viewer]);
  const found = requireRow(await findRows(db, statements, { page, params: [viewers] }), statements[page.from]);
  return toSharedPage(found, page, viewer);
}
