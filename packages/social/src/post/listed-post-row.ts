import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import type { Slice } from '../list/page-store.ts';
import type { PostColumns } from './post-row.ts';

/** Nothing past the latest 3000 posts and reposts is listed (specification, Limits; decisions D28). */
export const listedPosts = 3000;

/** A post in a list of posts and reposts. */
export type ListedPostRow = PostColumns & {
  /** Of the post, or of the repost: what the list is ordered by. */
  readonly itemId: number;
  /** Null for a post that stands there as itself. */
  readonly repostedAt: Date | null;
  /** Who reposted it; null when that is the account that is listed. */
  readonly reposter: AccountRow | null;
} & (AuthorColumns | { readonly [Key in keyof AuthorColumns]: null });
// Null: the author is the account that is listed.

/** The row that stands for an empty page. */
export type NoListedPost = { readonly [Key in keyof ListedPostRow]: null };

interface ItemsSql extends Slice {
  /** SQL of the account's id. */
  readonly account: string;
}

// Each kind comes in order from its index, and stops where a LIMIT is reached, its own or that of both side by
// side. An item whose id is that of its post stands there as itself: the ids of posts and reposts are of one
// ascending sequence.

/** SQL: an account's own posts, as they stand in a list beside reposts. */
export function postsOf({ account, where, order, limit }: ItemsSql): string {
  return `(SELECT i.id, i.id AS post_id, i.author_id FROM post i WHERE i.author_id = ${account} AND ${where}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/** SQL: an account's reposts; `isListed`: SQL that tells of those in `i` whether the viewer may see them. */
export function repostsOf({ account, where, order, limit }: ItemsSql, isListed: string): string {
  return `(SELECT i.id, i.post_id, i.author_id FROM repost i
    WHERE i.account_id = ${account} AND ${where} AND ${isListed}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/** SQL to join the post with this id: a subquery of its own, so that no plan reads all posts. */
export function postWith(id: string): string {
  return `LATERAL (SELECT * FROM post WHERE id = ${id} OFFSET 0)`;
}

/** SQL to join when `account` reposted the post of the item `i`; nothing for one that stands there as itself. */
export function repostedWith(account: string): string {
  return `LATERAL (SELECT created_at FROM repost
    WHERE account_id = ${account} AND post_id = i.post_id AND i.id <> i.post_id OFFSET 0)`;
}
