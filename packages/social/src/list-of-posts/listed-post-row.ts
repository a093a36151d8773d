import type { Commenters } from '@linnet/contract/commenters';

import { accountRecord } from '../account/account-row.ts';
import { marksByViewer } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { hasBlocks, isAuthorVisible, selectMuted } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import type { LinkCardRow } from '../link-card/link-card-view.ts';
import type { WordFilters } from '../filter/word-filter.ts';
import type { ListColumns } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';

/** Only the latest 3000 posts and reposts are listed (specification, Limits; decisions D28). */
export const maxListedPosts = 3000;

/** A post in a list of posts and reposts, without the parts of its version (`PostParts`). */
export interface ListedPostRow {
  /** The id of the repost, or of the post if the item is not a repost. The list is ordered by it. */
  readonly itemId: number;
  readonly id: number;
  /** The id of its current text: of the post itself, if it was never edited. */
  readonly versionId: number;
  readonly likesCount: number;
  readonly commentsCount: number;
  readonly repostsCount: number;
  readonly commenters: Commenters;
  readonly sensitive: boolean;
  /** Absent: the item is not a repost. */
  readonly repost: Repost | undefined;
}

interface Repost {
  readonly accountId: number;
  /** In milliseconds since 1970. */
  readonly time: number;
}

/** The columns of `selectListed`. A list is null if it is empty. */
export interface ListedPostColumns {
  readonly itemIds: readonly number[] | null;
  readonly likesCounts: readonly number[];
  readonly commentsCounts: readonly number[];
  readonly repostsCounts: readonly number[];
  /** The items whose posts are restricted to some commenters, and to which. */
  readonly restrictedIds: readonly number[] | null;
  readonly restrictions: readonly Commenters[];
  /** The items whose posts are sensitive. */
  readonly sensitiveIds: readonly number[] | null;
  /** The items that are reposts. */
  readonly repostIds: readonly number[] | null;
  readonly repostedIds: readonly number[];
  readonly reposterIds: readonly number[];
  readonly repostTimes: readonly number[];
  /** The posts that were edited, ... */
  readonly editedIds: readonly number[] | null;
  /** ... and the ids of their current texts. */
  readonly versionIds: readonly number[];
  /** Records of the media of the posts; see `postMediaRecords`. */
  readonly media: readonly string[] | null;
  /** Cards of the posts' links, by the ids of the posts. */
  readonly cards: Readonly<Record<string, LinkCardRow>> | null;
  /** What the posts quote, by the ids of those that quote something. Null within it: the viewer may not see the quoted post. */
  readonly quotes: Readonly<Record<string, ListedQuote | null>> | null;
  /** Whether followers of a quoted author, or the author, may see more of this. Null: no. */
  readonly quotesVary: boolean | null;
  /** Records (`accountRecord`) of the accounts that are shown: authors, also quoted ones, those who reposted, and mentioned ones. */
  readonly accounts: readonly string[] | null;
  /** The mentioned accounts that are hidden from the viewer: they are protected, or there is a block. */
  readonly hiddenIds: readonly number[] | null;
}

/** A quoted post without the parts of its version. */
export type ListedQuote = Pick<ListedPostRow, 'id' | 'versionId' | 'sensitive'>;

/** Of a list that is read for its viewer. */
export type ViewedPostColumns = ListedPostColumns & MarkedPosts;

/** A page of a list of posts and reposts. `items` is the same object for all requests that share the page. */
export interface PostsPage extends Paged<ListedPostRow> {
  /** What PostgreSQL returned. */
  readonly found: ListedPostColumns;
  /** Records of further accounts that this viewer sees. */
  readonly approved: readonly string[];
  /** Undefined: nobody acts. */
  readonly marked: MarkedPosts | undefined;
}

/** Sorts the items of a page newest first and adds the cursors. `marked`: see `PostsPage`. */
export function toPostsPage(
  found: ListedPostColumns & ListColumns,
  page: Page,
  { marked }: Pick<PostsPage, 'marked'>,
): PostsPage {
  const { total, hasPreceding } = found;
  const reposts = new Map(found.repostIds?.map((id, index) => [id, index]));
  const restrictions = new Map(found.restrictedIds?.map((id, index) => [id, found.restrictions[index]]));
  const sensitive = new Set(found.sensitiveIds);
  const versions = new Map(found.editedIds?.map((id, index) => [id, at(found.versionIds, index)]));
  const rows = (found.itemIds ?? []).map((itemId, index): ListedPostRow => {
    const repost = reposts.get(itemId);
    const id = repost === undefined ? itemId : at(found.repostedIds, repost);
    return {
      itemId,
      id,
      versionId: versions.get(id) ?? id,
      likesCount: at(found.likesCounts, index),
      commentsCount: at(found.commentsCounts, index),
      repostsCount: at(found.repostsCounts, index),
      commenters: restrictions.get(itemId) ?? 'everyone',
      sensitive: sensitive.has(itemId),
      repost:
        repost === undefined
          ? undefined
          : { accountId: at(found.reposterIds, repost), time: at(found.repostTimes, repost) },
    };
  });
  return { ...toPaged({ total, hasPreceding, rows }, page, (row) => row.itemId), found, approved: [], marked };
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

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

/** Does the viewer see other quotes than somebody without an account, or may it? Blocks are asked for apart. */
export function seesOtherQuotes({ quotes, quotesVary, muting }: SharedPostColumns, viewer: Viewer): boolean {
  return quotes !== null && viewer !== null && (quotesVary === true || isAmong(muting, viewer));
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

/** A value that belongs to an object. Copies of the object and JSON leave it out. */
interface AttachedValue<Holder extends object, Value> {
  readonly get: (holder: Holder) => Value | undefined;
  readonly set: (holder: Holder, value: Value) => void;
}

/**
 * Does what a WeakMap does, as a property of the object. Once a WeakMap is in V8's old generation, quick collections of garbage keep all values that
 * it holds, also those of unreachable objects, and move them there as well.
 */
export function createAttachedValue<Holder extends object, Value>(name: string): AttachedValue<Holder, Value> {
  const key = Symbol(name);
  return {
    get: (holder) => (holder as { readonly [key]?: Value })[key], // only `set` writes it
    set: (holder, value) => void Object.defineProperty(holder, key, { value, configurable: true }),
  };
}
