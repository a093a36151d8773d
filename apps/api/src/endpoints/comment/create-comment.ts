import { createComment } from '@linnet/contract/routes/comment';

import { insertComment } from '@linnet/social/comment/comment-store';
import { toComment } from '@linnet/social/comment/comment-view';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET and POST /comment/create */
export function createCreateComment(context: ViewContext): Endpoint {
  return endpoint(createComment, async ({ item_id, text }, caller, db) => {
    const row = await insertComment(db, { postId: item_id, authorId: caller.accountId, text });
    if (row === undefined) throw notFound('post');
    return { ...toComment(row, context), status: 0 };
  });
}
