import {
  deletePost as deletePostRoute,
  editPost as editPostRoute,
  listPostHistory,
  listPosts,
  lookUpPosts,
  showPost,
  updatePostSettings as updatePostSettingsRoute,
  deleteQuote as deleteQuoteRoute,
} from '@linnet/contract/routes/post';
import type { Queryable } from '@linnet/db/statement/transaction';
import { findPosts } from '@linnet/social/list-of-posts/account-posts-store';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { editPost, findPostHistory, toPostVersion } from '@linnet/social/post/post-edit-store';
import { findPost, findPostsById, updatePostSettings, withdrawQuote } from '@linnet/social/post/post-store';
import { findEntities } from '@linnet/social/post/post-text';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, notFound, notOwner } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /post/delete. `outside` is the database without the transaction of the request. */
export function createDeletePost(outside: Queryable): Endpoint {
  return endpoint(deletePostRoute, async ({ id }, caller, db) => {
    const outcome = await deletePost({ db, outside }, { id, accountId: caller.accountId });
    if (outcome === undefined) throw notFound('post');
    if (outcome === 'not-owner') throw notOwner('post');
    return { status: 'succeeded', message: 'The post was deleted.' };
  });
}

/** POST /post/edit */
export function createEditPost(context: ViewContext): Endpoint {
  return endpoint(editPostRoute, async ({ id, message }, { accountId }, db) => {
    const edited = await editPost(db, { id, accountId, text: message, entities: findEntities(message) });
    if (edited === undefined) throw notFound('post');
    if (edited === 'not-owner') {
      throw new ApiError('not-owner', {
        detail: 'The post belongs to another account; only that account can edit it.',
      });
    }
    if (edited === 'too-many-edits') throw new ApiError('too-many-edits');
    return { status: 'succeeded', message: 'The post was edited.', items: toPost(edited, context) };
  });
}

/** GET /post/history */
export function createListPostHistory(context: ViewContext): Endpoint {
  return endpoint(listPostHistory, async ({ id, ...paging }, caller, db) => {
    const found = await findPostHistory(db, { postId: id, viewer: caller.accountId ?? null }, toPage(paging));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toPostVersion(row, context));
  });
}

/** GET /post */
export function createListPosts(toResponse: ListedPostsView): Endpoint {
  return endpoint(listPosts, async ({ user_id, ...paging }, caller, db) => {
    const filter = { accountId: user_id, viewer: caller.accountId ?? null };
    const found = await findPosts(db, filter, toPage(paging, maxListedPosts));
    if (found === undefined) throw notFound('account');
    if (found === 'hidden') throw new ApiError('protected-account');
    return await toResponse(db, found);
  });
}

/** GET /post/lookup */
export function createLookUpPosts(context: ViewContext): Endpoint {
  return endpoint(lookUpPosts, async ({ id }, caller, db) => {
    const ids = [...new Set(id)];
    const rows = await findPostsById(db, ids, caller.accountId ?? null);
    const found = new Set(rows.map((row) => row.id));
    const missing = ids.filter((one) => !found.has(one));
    return {
      count: rows.length,
      items: rows.map((row) => toPost(row, context)),
      missing: missing.map((one) => ({ objectType: 'post' as const, id: one })),
    };
  });
}

/** GET /post/show */
export function createShowPost(context: ViewContext): Endpoint {
  return endpoint(showPost, async ({ id }, caller, db) => {
    const row = await findPost(db, id, caller.accountId ?? null);
    if (row === undefined) throw notFound('post');
    return { items: toPost(row, context) };
  });
}

/** POST /post/settings/update. Absent parameters stay unchanged. */
export function createUpdatePostSettings(context: ViewContext): Endpoint {
  return endpoint(updatePostSettingsRoute, async ({ id, commenters, sensitive }, { accountId }, db) => {
    const row = await updatePostSettings(db, { id, accountId }, { commenters, sensitive });
    if (row === undefined) throw notFound('post');
    if (row === 'not-owner') throw notOwner('post', 'its author', 'change');
    return { status: 'succeeded', message: 'The settings were changed.', items: toPost(row, context) };
  });
}

/** POST /post/quote/delete */
export function createDeleteQuote(): Endpoint {
  return endpoint(deleteQuoteRoute, async ({ id }, { accountId }, db) => {
    const outcome = await withdrawQuote(db, { id, accountId });
    if (outcome === undefined) throw notFound('post');
    if (outcome === 'not-owner') throw notOwner('quoted post', 'its author', 'change');
    return { status: 'succeeded', message: 'The post is no longer shown in the quote.' };
  });
}
