import type { AccountRow } from '../account/account-row.ts';
import type { ListColumns } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import type { PostMedia } from '../media/media-row.ts';

/** Only the latest 3000 posts and reposts are listed (specification, Limits; decisions D28). */
export const maxListedPosts = 3000;

/** A post in a list of posts and reposts, without its text (`PostParts`) and its accounts. */
export interface ListedPostRow {
  /** The id of the repost, or of the post if the item is not a repost. The list is ordered by it. */
  readonly itemId: number;
  readonly id: number;
  readonly authorId: number;
  /** The account that posted or reposted it. */
  readonly listedById: number;
  readonly likesCount: number;
  readonly commentsCount: number;
  readonly repostsCount: number;
  /** Absent: the item is a post without media and mentions. */
  readonly details: ListedPostDetails | undefined;
}

interface ListedPostDetails {
  readonly media: PostMedia | null;
  /** The mentioned accounts that the viewer may see, in order of appearance. Null: none. */
  readonly mentions: readonly AccountRow[] | null;
  /** Null: the item is not a repost. */
  readonly repostedAt: string | null;
}

/** The columns of `selectListed`: one list per column of the page, which are null for an empty page. */
export interface ListedPostColumns {
  readonly itemIds: readonly number[] | null;
  readonly ids: readonly number[];
  readonly authorIds: readonly number[];
  readonly listedByIds: readonly number[];
  readonly likesCounts: readonly number[];
  readonly commentsCounts: readonly number[];
  readonly repostsCounts: readonly number[];
  /** By item id. */
  readonly details: Readonly<Record<number, ListedPostDetails>> | null;
  readonly accounts: readonly AccountRow[] | null;
}

/** A page of a list of posts and reposts. */
export interface PostsPage extends Paged<ListedPostRow> {
  /** The authors of the posts and those who reposted them. */
  readonly accounts: readonly AccountRow[];
}

/** Sorts the items of a page newest first and adds the cursors. */
export function toPostsPage(found: ListedPostColumns & ListColumns, page: Page): PostsPage {
  const { details, accounts, total, hasPreceding } = found;
  const rows = (found.itemIds ?? []).map((itemId, index): ListedPostRow => ({
    itemId,
    id: at(found.ids, index),
    authorId: at(found.authorIds, index),
    listedById: at(found.listedByIds, index),
    likesCount: at(found.likesCounts, index),
    commentsCount: at(found.commentsCounts, index),
    repostsCount: at(found.repostsCounts, index),
    details: details?.[itemId],
  }));
  return { ...toPaged({ total, hasPreceding, rows }, page, (row) => row.itemId), accounts: accounts ?? [] };
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
