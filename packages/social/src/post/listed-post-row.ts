import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { isPostVisible } from '../account/visibility.ts';
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

interface ItemsSql extends Pick<Slice, 'where' | 'order'> {
  /** SQL of the account's id. */
  readonly account: string;
}

// Each kind is put in order before anything else is asked of it, so that a LIMIT around it spares the rest.

/** SQL: an account's own posts, as they stand in a list beside reposts. Both have ids of one ascending sequence. */
export function postsOf({ account, where, order }: ItemsSql): string {
  return `SELECT * FROM (
      SELECT i.id, i.id AS post_id, NULL::timestamptz AS reposted_at
      FROM post i WHERE i.author_id = ${account} AND ${where} ORDER BY i.id ${order} OFFSET 0
    ) posted ORDER BY posted.id ${order}`;
}

/** SQL: the reposts of an account that the viewer may see. */
export function repostsOf({ account, where, order }: ItemsSql, viewer: string): string {
  return `SELECT reposted.id, reposted.post_id, reposted.created_at AS reposted_at FROM (
      SELECT i.* FROM repost i WHERE i.account_id = ${account} AND ${where} ORDER BY i.id ${order} OFFSET 0
    ) reposted WHERE ${isPostVisible(viewer, 'reposted.post_id')} ORDER BY reposted.id ${order}`;
}

/** SQL to join the post with this id: a subquery of its own, so that no plan reads all posts. */
export function postWith(id: string): string {
  return `LATERAL (SELECT * FROM post WHERE id = ${id} OFFSET 0)`;
}
