import type { Queryable } from '@linnet/db/database';
import { lookup } from '@linnet/db/statement';

import { selectMarkedPosts } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import type { Viewer } from '../account/visibility.ts';
import { findApproved } from './approved-accounts-store.ts';
import type { ListedPostColumns, ViewerParts } from './listed-post-row.ts';

const markedPosts = lookup<readonly [likeable: string, repostable: string, viewer: Viewer], MarkedPosts>(
  'marked_posts',
  ['text', 'text', 'bigint'],
  selectMarkedPosts('$1', '$2', '$3::bigint'),
);

const noMarks: MarkedPosts = { liked: null, reposted: null };

/**
 * Finds what a page that is the same for everybody has for one viewer: mentioned accounts that are protected, and marks. They
 * are looked up apart, so that all who read the page share it; marks only of posts that somebody likes or has reposted.
 */
export async function findViewerParts(
  db: Queryable,
  found: ListedPostColumns,
  viewer: Viewer,
): Promise<Required<ViewerParts>> {
  const [approved, marked] = await Promise.all([
    findApproved(db, found.hiddenIds, viewer),
    viewer === null ? undefined : findMarked(db, found, viewer),
  ]);
  return { approved, marked };
}

async function findMarked(
  db: Queryable,
  { itemIds, likesCounts, repostsCounts, repostIds, repostedIds }: ListedPostColumns,
  viewer: number,
): Promise<MarkedPosts> {
  const reposted = new Map(repostIds?.map((id, index) => [id, repostedIds[index]]));
  const idsWith = (counts: readonly number[]) =>
    (itemIds ?? []).filter((_id, index) => (counts[index] ?? 0) > 0).map((id) => reposted.get(id) ?? id);
  const [likeable, repostable] = [idsWith(likesCounts), idsWith(repostsCounts)];
  if (likeable.length === 0 && repostable.length === 0) return noMarks;
  const [row] = await db.query(markedPosts, [`{${likeable.join(',')}}`, `{${repostable.join(',')}}`, viewer]);
  return row ?? noMarks;
}
