import type { Comment } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';
import type { CommentRow } from './comment-store.ts';

/** Builds the comment object (specification, Comment). */
export function toComment(row: CommentRow, context: ViewContext): Comment {
  return {
    id: row.id,
    text: row.text,
    created: toCreated(row.createdAt),
    created_at: row.createdAt.toISOString(),
    user: toAccount(toAuthor(row), context),
  };
}
