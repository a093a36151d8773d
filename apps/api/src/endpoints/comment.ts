import {
  createComment,
  deleteComment as deleteCommentRoute,
  listComments,
  showComment,
} from '@linnet/contract/routes/comment';
import type { Queryable } from '@linnet/db/statement/transaction';
import { canComment } from '@linnet/social/account/viewer-marks';
import { findComments, maxListedComments } from '@linnet/social/comment/comment-list-store';
import { deleteComment, findComment, insertComment } from '@linnet/social/comment/comment-store';
import { toComment } from '@linnet/social/comment/comment-view';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { findPost } from '@linnet/social/post/post-store';
import { findEntities } from '@linnet/social/post/post-text';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, notFound, notOwner } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint, PlainEndpoint } from '../http/endpoint.ts';

/** GET and POST /comment/create */
export function createCreateComment(context: ViewContext): PlainEndpoint {
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

/** POST /comment/delete */
export function createDeleteComment(): Endpoint {
  return endpoint(deleteCommentRoute, async ({ id }, caller, db) => {
    const outcome = await deleteComment(db, { id, accountId: caller.accountId });
    if (outcome === undefined) throw notFound('comment');
    if (outcome === 'not-owner') throw notOwner('comment', 'that account and the author of the post');
    return { status: 'succeeded', message: 'The comment was deleted.' };
  });
}

/** GET /comment */
export function createListComments(context: ViewContext): Endpoint {
  return endpoint(listComments, async ({ item_id, ...paging }, caller, db) => {
    const filter = { postId: item_id, viewer: caller.accountId ?? null };
    const found = await findComments(db, filter, toPage(paging, maxListedComments));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toComment(row, context));
  });
}

/** GET /comment/show */
export function createShowComment(context: ViewContext): Endpoint {
  return endpoint(showComment, async ({ id }, caller, db) => {
    const row = await findComment(db, id, caller.accountId ?? null);
    if (row === undefined) throw notFound('comment');
    return { items: toComment(row, context) };
  });
}
