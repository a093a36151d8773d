import { accountRecord } from '../account/account-row.ts';
import { createAttachedValue } from './attached-value.ts';
import { marksByViewer } from '../account/viewer-marks.ts';
import { hasBlocks, isAuthorVisible, selectMuted } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import type { WordFilters } from '../filter/word-filter.ts';
import type { ListColumns } from '../list/page-store.ts';
import type { Page } from '../list/page.ts';
import { toPostsPage } from './listed-post-row.ts';
import type { ListedPostColumns, PostsPage } from './listed-post-row.ts';

/*
 * A page that is the same for everybody, except for marks and for mentioned accounts that are protected. Concurrent requests
 * share its row, which has these apart for each viewer, so that nobody sends a statement of their own.
 */

/** A page that several viewers share. */
export interface SharedPostColumns extends ListedPostColumns {
  /** The posts that each viewer likes. */
  readonly likedBy: ByViewer<number>;
  readonly repostedBy: ByViewer<number>;
  readonly bookmarkedBy: ByViewer<number>;
  readonly commentableBy: ByViewer<number>;
  /** The filters of each viewer that has any. */
  readonly filtersBy: Readonly<Record<string, WordFilters>> | null;
  /** Records of the accounts in `hiddenIds` that each viewer may see. */
  readonly approvedFor: ByViewer<string>;
  /** The viewers who block anybody or are blocked, who must read a page of their own. Null: none. */
  readonly behindBlocks: readonly number[] | null;
  /** The viewers who mute anybody. Null: none. */
  readonly muting: readonly number[] | null;
}

/** By the id of the viewer, of those who have any. Null: nobody has. */
type ByViewer<Item> = Readonly<Record<string, readonly Item[]>> | null;

/** SQL: the columns that `SharedPostColumns` adds, from the CTE `listed` and its row (`selectListed`). `viewers`: an array of ids. */
export function sharedPostColumns(viewers: string): string {
  const approved = `SELECT reader.id AS viewer, json_agg(${accountRecord('a')}) AS accounts
    FROM unnest(${viewers}) reader (id) CROSS JOIN account a
    WHERE a.id = ANY (listed."hiddenIds") AND ${isAuthorVisible('reader.id', 'a.id')} GROUP BY reader.id`;
  return `${marksByViewer(viewers)}, CASE WHEN listed."hiddenIds" IS NOT NULL THEN (
      SELECT json_object_agg(viewer, accounts) FROM (${approved}) approved
    ) END AS "approvedFor", (
      SELECT array_agg(reader.id) FROM unnest(${viewers}) reader (id) WHERE ${hasBlocks('reader.id')}
    ) AS "behindBlocks", (
      SELECT array_agg(reader.id) FROM unnest(${viewers}) reader (id) WHERE EXISTS (${selectMuted('reader.id')})
    ) AS muting`;
}

/** Is the viewer among these? */
export function isAmong(viewers: readonly number[] | null, viewer: Viewer): boolean {
  return viewer !== null && viewers?.includes(viewer) === true;
}

interface Built {
  readonly limit: number;
  /** As somebody without an account gets it. */
  readonly posts: PostsPage;
}

/** By the row of PostgreSQL, so that a page is built once for all who share it. */
const built = createAttachedValue<SharedPostColumns, Built>('built');

/** Returns the page of one of its viewers. `items` is the same object for all of them. */
export function toSharedPage(found: SharedPostColumns & ListColumns, page: Page, viewer: Viewer): PostsPage {
  const posts = buildOnce(found, page);
  if (viewer === null) return posts;
  const marked = {
    liked: ofViewer(found.likedBy, viewer),
    reposted: ofViewer(found.repostedBy, viewer),
    bookmarked: ofViewer(found.bookmarkedBy, viewer),
    commentable: ofViewer(found.commentableBy, viewer),
    filters: found.filtersBy?.[String(viewer)] ?? null,
  };
  return { ...posts, approved: ofViewer(found.approvedFor, viewer) ?? posts.approved, marked };
}

function ofViewer<Item>(items: ByViewer<Item>, viewer: number): readonly Item[] | null {
  return items?.[String(viewer)] ?? null;
}

function buildOnce(found: SharedPostColumns & ListColumns, page: Page): PostsPage {
  const known = built.get(found);
  // At the end of the window, pages of different lengths come from the same row.
  if (known?.limit === page.limit) return known.posts;
  const posts = toPostsPage(found, page, { marked: undefined });
  built.set(found, { limit: page.limit, posts });
  return posts;
}
