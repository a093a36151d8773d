import type { Comment } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import { createWordFilter, toFiltered } from '../filter/word-filter.ts';
import { toEntities } from '../post/post-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { CommentColumns, CommentRow, ShownCommentRow } from './comment-row.ts';

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
    link: toCommentLink(row, context),
    item_id: row.postId,
    parent_id: row.parentId ?? 0,
    user: toAccount(row.author, context),
    ...toEntities({ hashtags: hashtags ?? [], urls: urls ?? [] }),
    user_definition: (row.mentions ?? []).map((mention) => toAccount(mention, context)),
    ...(filtered.length === 0 ? {} : { viewer: toFiltered(filtered) }),
  };
}

/** The public page of the post, at the comment. It shows the comments before an id, so the comment is the first of them. */
export function toCommentLink(
  { id, postId }: Pick<CommentColumns, 'id' | 'postId'>,
  { baseUrl }: Pick<ViewContext, 'baseUrl'>,
): string {
  return `${baseUrl}/p/${String(postId)}?before=${String(id + 1)}#comment-${String(id)}`;
}
