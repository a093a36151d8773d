import type { Commenters } from '@linnet/contract/commenters';

import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { accountJson } from '../account/account-row.ts';
import { postMarks } from '../account/viewer-marks.ts';
import type { Marks } from '../account/viewer-marks.ts';
import { visibleTo } from '../account/visibility.ts';
import { wordFiltersOf } from '../filter/word-filter.ts';
import type { WordFilters } from '../filter/word-filter.ts';
import { postMediaJson } from '../media/media-row.ts';
import type { PostMedia } from '../media/media-row.ts';
import type { Hashtag, TextUrl } from './post-text.ts';

/** The columns of a post without those of its author. */
export interface PostColumns {
  readonly id: number;
  readonly text: string;
  readonly hashtags: readonly Hashtag[];
  readonly urls: readonly TextUrl[];
  readonly likesCount: number;
  readonly commentsCount: number;
  readonly repostsCount: number;
  readonly createdAt: Date;
  readonly commenters: Commenters;
  readonly sensitive: boolean;
  /** The id of the current text; null: the post was never edited. */
  readonly versionId: number | null;
  /** Null: none. */
  readonly media: readonly PostMedia[] | null;
  /** The mentioned accounts that the viewer may see, in order of appearance. Null: none. */
  readonly mentions: readonly AccountRow[] | null;
  /** Absent where they are not asked for. */
  readonly marks?: Marks;
  readonly filters?: WordFilters;
}

/** A post with its author: the columns that a post object is built from. */
export type PostRow = PostColumns & AuthorColumns;

/** SQL: selects `PostColumns` without `mentions`; `media` is SQL for a list of PostMedia as JSON. */
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
    `${alias}.commenters`,
    `${alias}.sensitive`,
    `${alias}.version_id AS "versionId"`,
    `${media} AS media`,
  ].join(', ');
}

/** SQL: selects what depends on the viewer: `mentions`, see `mentionsJson`, `marks` and `filters`. */
export function viewerColumns(alias: string, viewer: string): string {
  return `${mentionsColumn(alias, viewer)}, ${postMarks(alias, viewer)} AS marks, ${wordFiltersOf(viewer)} AS filters`;
}

/** SQL: selects `mentions`, see `mentionsJson`. */
export function mentionsColumn(alias: string, viewer: string): string {
  return `${mentionsJson(alias, viewer)} AS mentions`;
}

/**
 * SQL: the current state of the mentioned accounts that `viewer` may see (see `visibleTo`), as JSON. Posts without
 * mentions skip the subquery.
 */
export function mentionsJson(alias: string, viewer: string): string {
  return `
    CASE WHEN ${alias}.mention_ids IS NULL THEN NULL ELSE (
      SELECT json_agg(${accountJson('m')} ORDER BY o.position)
      FROM unnest(${alias}.mention_ids) WITH ORDINALITY AS o(id, position) JOIN account m ON m.id = o.id
      WHERE ${visibleTo(viewer, 'm')}
    ) END`;
}
