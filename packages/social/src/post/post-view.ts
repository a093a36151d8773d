import type { Commenters } from '@linnet/contract/commenters';
import type { Account, Post } from '@linnet/contract/objects';
import { timeOfId } from '@linnet/db/text/id-time';

import { accountJson, lateralAccount, toAuthor } from '../account/account-row.ts';
import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { postMarks, toPostViewer } from '../account/viewer-marks.ts';
import type { Marks } from '../account/viewer-marks.ts';
import { quotedTo, visibleTo } from '../account/visibility.ts';
import { createWordFilter, wordFiltersOf } from '../filter/word-filter.ts';
import type { WordFilters } from '../filter/word-filter.ts';
import { cardJson, toCard } from '../link-card/link-card-view.ts';
import type { LinkCardRow } from '../link-card/link-card-view.ts';
import { postMediaJson } from '../media/media-row.ts';
import type { PostMedia } from '../media/media-row.ts';
import { toPictures } from '../media/media-view.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';
import { toEntities, toMentions } from './linked-text.ts';
import type { Entities, Mentions } from './linked-text.ts';

/** Builds the post object (specification, Post). */
export function toPost(row: PostRow, context: ViewContext): Post {
  return toPostWithAuthor(row, toAccount(toAuthor(row), context), context);
}

/** Builds the post objects of one author, which share the author's account object. */
export function toPostsOfAuthor(rows: readonly PostRow[], context: ViewContext): Post[] {
  const [first] = rows;
  if (first === undefined) return [];
  const author = toAccount(toAuthor(first), context);
  return rows.map((row) => toPostWithAuthor(row, author, context));
}

/** Builds the post object with an account object that was built before. */
export function toPostWithAuthor(row: PostColumns, author: Account, context: ViewContext): Post {
  return {
    ...toWritten(row, context),
    user: author,
    ...toPictures(row.media, context),
    ...toEntities(row),
    ...toMentions(row, (mention) => (mention.id === author.id ? author : toAccount(mention, context))),
    ...toCard(row.card, context),
    ...toQuote(row.quote, context),
    action: toCounters(row),
    ...toSettings(row),
    ...toPostViewer(
      row.marks,
      createWordFilter(row.filters)({ text: row.text, authorId: author.id }, ...textOf(row.quote)),
    ),
  };
}

/** Builds the member `quote`. Undefined and null: the post quotes nothing. */
function toQuote(row: QuoteRow | null | undefined, context: ViewContext): Pick<Post, 'quote'> {
  if (row === null || row === undefined) return {};
  if (row.post === null) return { quote: { status: 'unavailable' } };
  const { author, createdAt, ...columns } = row.post;
  const user = toAccount(author, context);
  const post = {
    ...toWritten({ ...columns, createdAt: new Date(createdAt) }, context),
    user,
    ...toPictures(columns.media, context),
    ...toEntities(columns),
    ...toMentions(columns, (mention) => toAccount(mention, context)),
    sensitive: toSettings(columns).sensitive,
  };
  return { quote: { status: 'available', post } };
}

function textOf(quote: QuoteRow | null | undefined): { readonly text: string; readonly authorId: number }[] {
  const post = quote?.post ?? null;
  return post === null ? [] : [{ text: post.text, authorId: post.author.id }];
}

/** The members of a post object before `user`. They are the same for all who read this version. */
export function toWritten(
  {
    id,
    text,
    createdAt,
    versionId,
    imported,
  }: Pick<PostColumns, 'id' | 'text' | 'createdAt' | 'versionId' | 'imported'>,
  context: ViewContext,
): Pick<Post, 'id' | 'text' | 'created' | 'created_at' | 'edited' | 'edited_at' | 'imported' | 'link'> {
  return {
    id,
    text,
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
    ...toEdited(versionId),
    ...toImported(imported),
    link: `${context.baseUrl}/p/${String(id)}`,
  };
}

/** Builds the member `imported`. */
export function toImported(isImported: boolean): Pick<Post, 'imported'> {
  return isImported ? { imported: true } : {};
}

/** The id of a text tells when it was written. */
function toEdited(versionId: number | null): Pick<Post, 'edited' | 'edited_at'> {
  if (versionId === null) return {};
  const editedAt = timeOfId(versionId);
  return { edited: toCreated(editedAt), edited_at: editedAt.toISOString() };
}

/** What the author can change. */
export function toSettings({
  commenters,
  sensitive,
}: Pick<PostColumns, 'commenters' | 'sensitive'>): Pick<Post, 'commenters' | 'sensitive'> {
  return { commenters, sensitive: sensitive ? 1 : 0 };
}

function toCounters(row: Pick<PostColumns, 'likesCount' | 'commentsCount' | 'repostsCount'>): Post['action'] {
  return { likes: row.likesCount, comments: row.commentsCount, reposts: row.repostsCount };
}

/** The columns of a post without those of its author. */
export interface PostColumns extends Entities, Mentions {
  readonly id: number;
  readonly text: string;
  readonly likesCount: number;
  readonly commentsCount: number;
  readonly repostsCount: number;
  readonly createdAt: Date;
  readonly commenters: Commenters;
  readonly sensitive: boolean;
  /** The id of the current text; null: the post was never edited. */
  readonly versionId: number | null;
  /** Written elsewhere. */
  readonly imported: boolean;
  /** Null: none. */
  readonly media: readonly PostMedia[] | null;
  /** Null: nothing is known about its first link, or it has none. Absent for a post that is stored at this moment. */
  readonly card?: LinkCardRow | null;
  /** Null: it quotes nothing. Absent where it is not asked for. */
  readonly quote?: QuoteRow | null;
  /** Absent where they are not asked for. */
  readonly marks?: Marks;
  readonly filters?: WordFilters;
}

/** The quoted post, as JSON. Null: the viewer may not see it there, or it does not exist. */
interface QuoteRow {
  readonly post: (Omit<PostColumns, 'createdAt'> & { readonly createdAt: string; readonly author: AccountRow }) | null;
}

/** A post with its author: the columns that a post object is built from. */
export type PostRow = PostColumns & AuthorColumns;

/** SQL: selects `PostColumns` without `mentions`, for `viewer`. */
export function postColumns(alias: string, viewer: string): string {
  return `${ownPostColumns(alias, viewer)}, ${cardJson(alias)} AS card, ${quoteJson(alias, viewer)} AS quote`;
}

/** SQL: QuoteRow of the post `alias` as JSON. Posts that quote nothing skip the subquery. */
export function quoteJson(alias: string, viewer: string): string {
  return `CASE WHEN ${alias}.quote_id IS NOT NULL THEN json_build_object('post', (
    SELECT row_to_json(shown) FROM (
      SELECT ${ownPostColumns('q', viewer)}, ${mentionsColumn('q', viewer)}, ${accountJson('quoted')} AS author
      FROM (SELECT * FROM post WHERE id = ${alias}.quote_id OFFSET 0) q
      JOIN ${lateralAccount('q.author_id')} quoted ON ${quotedTo(viewer, 'quoted', `${alias}.author_id`)}
    ) shown
  )) END`;
}

/** SQL: the same without what others say and wrote. */
export function ownPostColumns(alias: string, viewer: string): string {
  return [
    `${alias}.id`,
    `${alias}.text`,
    `${alias}.hashtags`,
    `${alias}.urls`,
    `${alias}.mention_spans AS "mentionSpans"`,
    `${alias}.likes_count AS "likesCount"`,
    `${alias}.comments_count AS "commentsCount"`,
    `${alias}.reposts_count AS "repostsCount"`,
    `${alias}.created_at AS "createdAt"`,
    `${alias}.commenters`,
    `${alias}.sensitive`,
    `${alias}.version_id AS "versionId"`,
    `${alias}.imported`,
    `${postMediaJson(alias, viewer)} AS media`,
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
