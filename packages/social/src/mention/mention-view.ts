import type { Mention } from '@linnet/contract/objects';

import { fromCommentJson } from '../comment/comment-row.ts';
import { toCommentBy } from '../comment/comment-view.ts';
import { toPost } from '../post/post-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { MentionRow } from './mention-list-store.ts';

/** Builds the object of a mention, with the post that it is in or about. */
export function toMention(row: MentionRow, context: ViewContext): Mention {
  const { mentionId, comment } = row;
  return {
    objectType: 'mention',
    kind: `${context.serviceName}#mention`,
    id: mentionId,
    type: comment === null ? 'post' : 'comment',
    post: toPost(row, context),
    ...(comment === null ? {} : { comment: toCommentBy(fromCommentJson(comment), context) }),
  };
}
