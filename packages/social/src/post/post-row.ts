import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { accountJson } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import { postMediaJson } from '../media/media-row.ts';
import type { PostMedia } from '../media/media-row.ts';
import type { Hashtag, TextUrl } from './post-text.ts';

/** A post's own columns. */
export interface PostColumns {
  readonly id: number;
  readonly text: string;
  readonly hashtags: readonly Hashtag[];
  readonly urls: readonly TextUrl[];
  readonly likesCount: number;
  readonly commentsCount: number;
  readonly repostsCount: number;
  readonly createdAt: Date;
  readonly media: PostMedia | null;
  /** The accounts it mentions, in order of appearance. */
  readonly mentions: readonly AccountRow[] | null;
}

/** A post with its author: what one post object is made of. */
export type PostRow = PostColumns & AuthorColumns;

/** The columns of a post besides its mentions; `media` is SQL for PostMedia as JSON. */
export function postColumns(alias: string, media = postMediaJson(alias)): string {
  return [
    `${alias}.id`,
    `${alias}.text`,
    `${alias}.hashtags`,
    `${alias}.urls`,
    `${alias}.likes_count AS "likesCount"`,
    `${alias}.comments_count AS "commentsCount"`,
    `${alias}.reposts_count AS "repostsCount"`,
    `${alias}.created_at AS "createdAt"`,
    `${media} AS media`,
  ].join(', ');
}

/**
 * The mentioned accounts as of now, without those that are hidden from `viewer` (see visibleTo); posts
 * without mentions cost nothing.
 */
export function mentionsColumn(alias: string, viewer: string): string {
  return `
    CASE WHEN ${alias}.mention_ids IS NULL THEN NULL ELSE (
      SELECT json_agg(${accountJson('m')} ORDER BY o.position)
      FROM unnest(${alias}.mention_ids) WITH ORDINALITY AS o(id, position) JOIN account m ON m.id = o.id
      WHERE ${visibleTo(viewer, 'm')}
    ) END AS mentions`;
}
