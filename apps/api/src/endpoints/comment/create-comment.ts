import { createComment } from '@linnet/contract/routes/comment';
import type { Queryable } from '@linnet/db/database';
import { canComment } from '@linnet/social/account/viewer-marks';
import { insertComment } from '@linnet/social/comment/comment-store';
import { toComment } from '@linnet/social/comment/comment-view';
import { findPost } from '@linnet/social/post/post-store';
import { findEntities } from '@linnet/social/post/post-text';
import type { ViewContext } from '@linnet/social/view-context';
import { ApiError, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET and POST /comment/create */
export function createCreateComment(context: ViewContext): Endpoint {
  return endpoint(createComment, async ({ item_id: postId, text, parent_id: parentId }, caller, db) => {
    const { accountId: authorId } = caller;
    const row = await insertComment(db, { postId, authorId, text, parentId, entities: findEntities(text) });
    if (row === undefined) throw await toApiError(db, { postId, authorId, parentId });
    return { ...toComment(row, context), status: 0 };
  });
}

interface Attempt {
  readonly postId: number;
  readonly authorId: number;
  readonly parentId: number | undefined;
}

/** A comment of another post gets the same response as one that does not exist. */
async function toApiError(db: Queryable, { postId, authorId, parentId }: Attempt): Promise<ApiError> {
  const post = await findPost(db, postId, authorId);
  if (post === undefined) return notFound('post');
  if (!canComment(post.marks)) return new ApiError('comments-restricted');
  // Without a parent, the post was hidden from the person or restricted until a moment ago.
  return notFound(parentId === undefined ? 'post' : 'comment');
}
