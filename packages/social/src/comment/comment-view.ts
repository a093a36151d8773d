import type { Comment } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';
import type { CommentRow } from './comment-store.ts';

/** A comment with its author as a value, as in lists of comments within a row. */
export interface ShownCommentRow {
  readonly id: number;
  readonly text: string;
  readonly createdAt: Date;
  readonly author: AccountRow;
}

/** Builds the comment object (specification, Comment). */
export function toComment(row: CommentRow, context: ViewContext): Comment {
  return toCommentBy({ ...row, author: toAuthor(row) }, context);
}

/** Does the same for a comment with its author as a value. */
export function toCommentBy({ id, text, createdAt, author }: ShownCommentRow, context: ViewContext): Comment {
  return {
    id,
    text,
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
    user: toAccount(author, context),
  };
}
