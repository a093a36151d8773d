import type { Comment } from '@linnet/contract/objects';

import { accountJson, toAuthor } from '../account/account-row.ts';
import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { createWordFilter, toFiltered, wordFiltersOf } from '../filter/word-filter.ts';
import type { WordFilters } from '../filter/word-filter.ts';
import { cardJson, toCard } from '../link-card/link-card-view.ts';
import type { LinkCardRow } from '../link-card/link-card-view.ts';
import type { Hashtag, TextUrl } from '../post/post-text.ts';
import { toEntities, toMentions } from '../post/linked-text.ts';
import type { MentionSpans } from '../post/linked-text.ts';
import { mentionsColumn, mentionsJson, toImported } from '../post/post-view.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';

/** The columns of a comment without those of its author. */
export interface CommentColumns {
  readonly id: number;
  readonly text: string;
  readonly createdAt: Date;
  readonly postId: number;
  /** The comment that it replies to, which may have been deleted since. */
  readonly parentId: number | null;
  /** Null: none. */
  readonly hashtags: readonly Hashtag[] | null;
  readonly urls: readonly TextUrl[] | null;
  /** The mentioned accounts that the viewer may see, in order of appearance. Null: none. */
  readonly mentions: readonly AccountRow[] | null;
  readonly mentionSpans: readonly MentionSpans[] | null;
  /** Written elsewhere. */
  readonly imported: boolean;
  /** As that of a post. */
  readonly card?: LinkCardRow | null;
  /** Absent where they are not asked for. */
  readonly filters?: WordFilters;
}

/** A comment with its author: the columns that a comment object is built from. */
export type CommentRow = CommentColumns & AuthorColumns;

const columns = {
  id: 'id',
  text: 'text',
  createdAt: 'created_at',
  postId: 'post_id',
  parentId: 'parent_id',
  hashtags: 'hashtags',
  urls: 'urls',
  mentionSpans: 'mention_spans',
  imported: 'imported',
} as const satisfies Record<keyof Omit<CommentColumns, 'mentions' | 'card' | 'filters'>, string>;

/** SQL: selects `CommentColumns`. */
export function commentColumns(alias: string, viewer: string): string {
  const own = Object.entries(columns).map(([key, column]) => `${alias}.${column} AS "${key}"`);
  return `${own.join(', ')}, ${mentionsColumn(alias, viewer)}, ${cardJson(alias)} AS card, ${wordFiltersOf(viewer)} AS filters`;
}

/** A comment with its author as a value, as in lists of comments within a row. */
export type ShownCommentRow = CommentColumns & { readonly author: AccountRow };

/** A comment as JSON, which has no dates. */
export type CommentJson = Omit<ShownCommentRow, 'createdAt'> & { readonly createdAt: string };

/** Reads `commentJson`. */
export function fromCommentJson(comment: CommentJson): ShownCommentRow {
  return { ...comment, createdAt: new Date(comment.createdAt) };
}

/** SQL: CommentJson of the comment `alias` by the account in `author`. */
export function commentJson(alias: string, author: string, viewer: string): string {
  const pairs = Object.entries(columns).map(([key, column]) => `'${key}', ${alias}.${column}`);
  return `json_build_object(${pairs.join(', ')}, 'mentions', ${mentionsJson(alias, viewer)}, 'card', ${cardJson(alias)}, 'filters', ${wordFiltersOf(viewer)}, 'author', ${accountJson(author)})`;
}

/** Builds the comment object (specification, Comment). */
export function toComment(row: CommentRow, context: ViewContext): Comment {
  return toCommentBy({ ...row, author: toAuthor(row) }, context);
}

/** Does the same for a comment with its author as a value. */
export function toCommentBy(row: ShownCommentRow, context: ViewContext): Comment {
  const { hashtags, urls } = row;
  const filtered = createWordFilter(row.filters)({ text: row.text, authorId: row.author.id });
  return {
    id: row.id,
    text: row.text,
    created: toCreated(row.createdAt),
    created_at: row.createdAt.toISOString(),
    ...toImported(row.imported),
    link: toCommentLink(row, context),
    item_id: row.postId,
    parent_id: row.parentId ?? 0,
    user: toAccount(row.author, context),
    ...toEntities({ hashtags: hashtags ?? [], urls: urls ?? [] }),
    ...toMentions(row, (mention) => toAccount(mention, context)),
    ...toCard(row.card, context),
    ...(filtered.length === 0 ? {} : { viewer: toFiltered(filtered) }),
  };
}

/** The public page of the post, at the comment. It shows the comments after an id, so the comment is the first of them. */
export function toCommentLink(
  { id, postId }: Pick<CommentColumns, 'id' | 'postId'>,
  { baseUrl }: Pick<ViewContext, 'baseUrl'>,
): string {
  return `${baseUrl}/p/${String(postId)}?after=${String(id - 1)}#comment-${String(id)}`;
}
