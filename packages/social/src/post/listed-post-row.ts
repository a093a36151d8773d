import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import type { Slice } from '../list/page-sql.ts';
import type { PostColumns } from './post-row.ts';

/** Only the latest 3000 posts and reposts are listed (specification, Limits; decisions D28). */
export const maxListedPosts = 3000;

/** A post in a list of posts and reposts. */
export type ListedPostRow = PostColumns & {
  /** The id of the repost, or of the post if the item is not a repost. The list is ordered by it. */
  readonly itemId: number;
  /** Null: the item is not a repost. */
  readonly repostedAt: Date | null;
  /** The reposting account; null: it is the account whose list it is, or the item is not a repost. */
  readonly reposter: AccountRow | null;
} & (AuthorColumns | { readonly [Key in keyof AuthorColumns]: null });
// Author columns that are null: the author is the account whose list it is.

/** The row that represents an empty page. */
export type NoListedPost = { readonly [Key in keyof ListedPostRow]: null };

interface ItemsSql extends Slice {
  /** SQL of the account's id. */
  readonly account: string;
}

// Both kinds come from their index in order, so that PostgreSQL stops reading when a LIMIT is reached. Posts and reposts
// take their ids from one ascending sequence: an item is a repost if its id differs from the id of its post.

/** SQL: an account's own posts as list items. */
export function selectPosts({ account, where, order, limit }: ItemsSql): string {
  return `(SELECT i.id, i.id AS post_id, i.author_id FROM post i WHERE i.author_id = ${account} AND ${where}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/** SQL: an account's reposts as list items; `isListed`: SQL condition on `i`, see `filterInBatch`. */
export function selectReposts({ account, where, order, limit }: ItemsSql, isListed: string): string {
  return `(SELECT i.id, i.post_id, i.author_id FROM repost i
    WHERE i.account_id = ${account} AND ${where} AND ${isListed}
    ORDER BY i.id ${order} LIMIT ${limit})`;
}

/** SQL: joins the post with this id. OFFSET 0 keeps the subquery separate, so that no plan scans all posts. */
export function lateralPost(id: string): string {
  return `LATERAL (SELECT * FROM post WHERE id = ${id} OFFSET 0)`;
}

/** SQL: joins the time at which `account` reposted the post of the item `i`; no row if the item is not a repost. */
export function lateralRepost(account: string): string {
  return `LATERAL (SELECT created_at FROM repost
    WHERE account_id = ${account} AND post_id = i.post_id AND i.id <> i.post_id OFFSET 0)`;
}
