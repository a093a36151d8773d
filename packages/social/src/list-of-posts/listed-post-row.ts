import type { Commenters } from '@linnet/contract/commenters';

import type { MarkedPosts } from '../account/viewer-marks.ts';
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
  /** Records (`accountRecord`) of the accounts that are shown: authors, those who reposted, and mentioned ones. */
  readonly accounts: readonly string[] | null;
  /** The mentioned accounts that are hidden from the viewer: they are protected, or there is a block. */
  readonly hiddenIds: readonly number[] | null;
}

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
