import type { Account, Post } from '@linnet/contract/objects';

import { toFiltered, wordFiltersByViewer, wordFiltersOf } from '../filter/word-filter.ts';
import type { WordFilters } from '../filter/word-filter.ts';
import { hasBlocks, selectMuted } from './visibility.ts';

/**
 * What the acting account has to do with a post or with another account, as the sum of its marks. Null: nobody acts, or the
 * account looks at itself.
 */
export type Marks = number | null;

/** Marks of a post. */
const liked = 1;
const reposted = 2;
const bookmarked = 4;
const commentable = 8;

/** The marks of its author on a post that was just written. */
export const marksOfNewPost = commentable;

/** Marks of an account. */
const following = 1;
const requested = 2;
const followedBy = 4;
const muted = 8;
const blocked = 16;
const blocking = 32;

// Most posts and accounts have no mark. Their counters and flags show that, so no index is read for them. Scalar subqueries instead of
// EXISTS: PostgreSQL finds their row by its key, but for EXISTS it may read all rows of the viewer.

/** SQL: the marks of `viewer` (see `visibleTo`) on the post in `alias`. */
export function postMarks(alias: string, viewer: string): string {
  const by = `account_id = ${viewer} AND post_id = ${alias}.id`;
  return `CASE WHEN ${viewer} IS NOT NULL THEN
    CASE WHEN ${alias}.likes_count > 0 AND (SELECT true FROM post_like WHERE ${by}) THEN ${String(liked)} ELSE 0 END
    + CASE WHEN ${alias}.reposts_count > 0 AND (SELECT true FROM repost WHERE ${by}) THEN ${String(reposted)} ELSE 0 END
    + CASE WHEN ${alias}.bookmarks_count > 0 AND (SELECT true FROM bookmark WHERE ${by}) THEN ${String(bookmarked)} ELSE 0 END
    + CASE WHEN ${mayComment(alias, viewer)} THEN ${String(commentable)} ELSE 0 END
  END`;
}

function follows(follower: string, followed: string): string {
  return `follower_id = ${follower} AND followed_id = ${followed}`;
}

function blocks(blocker: string, other: string): string {
  return `(SELECT true FROM block WHERE blocker_id = ${blocker} AND blocked_id = ${other})`;
}

/** SQL: the marks of `viewer` on the account in `alias`. */
export function accountMarks(alias: string, viewer: string): string {
  const toAccount = follows(viewer, `${alias}.id`);
  const toViewer = follows(`${alias}.id`, viewer);
  return `CASE WHEN ${alias}.id <> ${viewer} THEN
    CASE WHEN ${alias}.followers_count > 0 AND (SELECT true FROM follow WHERE ${toAccount}) THEN ${String(following)} ELSE 0 END
    + CASE WHEN ${alias}.protected AND (SELECT true FROM follow_request WHERE ${toAccount}) THEN ${String(requested)} ELSE 0 END
    + CASE WHEN ${alias}.following_count > 0 AND (SELECT true FROM follow WHERE ${toViewer}) THEN ${String(followedBy)} ELSE 0 END
    + CASE WHEN ${alias}.id = ANY (ARRAY(${selectMuted(viewer)})) THEN ${String(muted)} ELSE 0 END
    + CASE WHEN ${alias}.block_epoch > 0 AND ${hasBlocks(viewer)} THEN
        CASE WHEN ${blocks(`${alias}.id`, viewer)} THEN ${String(blocked)} ELSE 0 END
        + CASE WHEN ${blocks(viewer, `${alias}.id`)} THEN ${String(blocking)} ELSE 0 END
      ELSE 0 END
  END`;
}

/** The member `viewer` of a post. `filtered`: the filters that match its text. */
export function toPostViewer(marks: Marks | undefined, filtered: readonly string[] = []): Pick<Post, 'viewer'> {
  if (marks === null || marks === undefined) return {};
  return {
    viewer: {
      liked: toFlag(marks, liked),
      reposted: toFlag(marks, reposted),
      bookmarked: toFlag(marks, bookmarked),
      can_comment: toFlag(marks, commentable),
      ...toFiltered(filtered),
    },
  };
}

/** The member `viewer` of an account. */
export function toAccountViewer(marks: Marks): Pick<Account, 'viewer'> {
  if (marks === null) return {};
  const viewer = {
    following: toFlag(marks, following),
    follow_requested: toFlag(marks, requested),
    followed_by: toFlag(marks, followedBy),
    muted: toFlag(marks, muted),
    blocked: toFlag(marks, blocked),
    blocking: toFlag(marks, blocking),
  };
  return { viewer };
}

function toFlag(marks: number, mark: number): 0 | 1 {
  return (marks & mark) === 0 ? 0 : 1;
}

/** May the account with these marks comment on the post? */
export function canComment(marks: Marks | undefined): boolean {
  return marks !== null && marks !== undefined && toFlag(marks, commentable) === 1;
}

/** The posts of a page that the acting account likes, has reposted or has bookmarked, and restricted ones that it may comment on; its filters. */
export interface MarkedPosts {
  readonly liked: readonly number[] | null;
  readonly reposted: readonly number[] | null;
  readonly bookmarked: readonly number[] | null;
  readonly commentable: readonly number[] | null;
  readonly filters: WordFilters;
}

const restricted = `commenters <> 'everyone'`;

/** SQL: columns of `MarkedPosts` for the posts in the CTE `listed`, for a list that is read for its viewer. */
export function markedPostsColumns(viewer: string): string {
  const column = (table: string, counter: string) =>
    `(SELECT array_agg(post_id) FROM ${table} WHERE account_id = ${viewer}
      AND post_id = ANY (ARRAY(SELECT post_id FROM listed WHERE ${counter} > 0)))`;
  return `${column('post_like', 'likes_count')} AS liked, ${column('repost', 'reposts_count')} AS reposted,
    ${column('bookmark', 'bookmarks_count')} AS bookmarked,
    (SELECT array_agg(post_id) FROM listed l WHERE ${restricted} AND ${mayComment('l', viewer)}) AS commentable,
    ${wordFiltersOf(viewer)} AS filters`;
}

/**
 * SQL: columns with the posts in the CTE `listed` that each of the accounts in the array `viewers` likes (`likedBy`), has
 * reposted (`repostedBy`) and has bookmarked (`bookmarkedBy`), and the restricted ones that it may comment on (`commentableBy`), and
 * their filters (`filtersBy`), as JSON by account. Only posts that somebody has marked are looked up.
 */
export function marksByViewer(viewers: string): string {
  const column = (table: string, counter: string) => `(SELECT json_object_agg(account_id, post_ids) FROM (
      SELECT account_id, array_agg(post_id) AS post_ids FROM ${table} WHERE account_id = ANY (${viewers})
        AND post_id = ANY (ARRAY(SELECT post_id FROM listed WHERE ${counter} > 0)) GROUP BY account_id
    ) marked)`;
  return `${column('post_like', 'likes_count')} AS "likedBy", ${column('repost', 'reposts_count')} AS "repostedBy",
    ${column('bookmark', 'bookmarks_count')} AS "bookmarkedBy", (SELECT json_object_agg(reader_id, post_ids) FROM (
      SELECT reader.id AS reader_id, array_agg(l.post_id) AS post_ids FROM listed l CROSS JOIN unnest(${viewers}) reader (id)
      WHERE ${restricted} AND ${mayComment('l', 'reader.id')} GROUP BY reader.id
    ) allowed) AS "commentableBy", ${wordFiltersByViewer(viewers)} AS "filtersBy"`;
}

/** Reads the marks of single posts. */
export function createMarksOf(marked: Omit<MarkedPosts, 'filters'>): (postId: number) => number {
  const sets = [
    [new Set(marked.liked), liked],
    [new Set(marked.reposted), reposted],
    [new Set(marked.bookmarked), bookmarked],
    [new Set(marked.commentable), commentable],
  ] as const;
  return (postId) => sets.reduce((marks, [ids, mark]) => (ids.has(postId) ? marks | mark : marks), 0);
}

/** Who may comment on a post that they see: everyone, the followers of its author, or those it mentions; always its author (decisions D139). */

/** SQL condition: may `viewer` (see `visibleTo`) comment on the post in `alias`? Most posts let everyone. */
export function mayComment(alias: string, viewer: string): string {
  return `(${alias}.commenters = 'everyone' OR COALESCE(${alias}.author_id = ${viewer} OR ${viewer} = ANY (${alias}.mention_ids)
    OR (${alias}.commenters = 'followers' AND (SELECT true FROM follow WHERE follower_id = ${viewer} AND followed_id = ${alias}.author_id)), false))`;
}

/**
 * The same for a statement that has locked the post: it also sees an unfollow that was committed while it waited for the lock,
 * which its snapshot does not show.
 */
export function mayCommentNow(alias: string, commenter: string): string {
  const post = `${alias}.commenters, ${alias}.author_id, ${alias}.mention_ids`;
  return `(${alias}.commenters = 'everyone' OR is_commenter(${post}, ${commenter}))`;
}
