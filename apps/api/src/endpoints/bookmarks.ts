import { addBookmark, deleteBookmark, listBookmarks } from '@linnet/contract/routes/bookmarks';
import { findKeptPosts } from '@linnet/social/list-of-posts/kept-posts-store';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { toPost } from '@linnet/social/post/post-view';
import { bookmarks } from '@linnet/social/reaction/reaction-store';
import type { ViewContext } from '@linnet/social/view-context';

import { accountGone, notFound } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /bookmarks/add */
export function createAddBookmark(): Endpoint {
  return endpoint(addBookmark, async ({ item_id }, caller, db) => {
    // The number of bookmarks is not shown.
    const count = await bookmarks.add(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { response: { bookmarked: 1 } };
  });
}

/** GET /bookmarks */
export function createListBookmarks(context: ViewContext): Endpoint {
  return endpoint(listBookmarks, async (paging, { accountId }, db) => {
    const found = await findKeptPosts(db, { list: 'bookmarks', accountId, viewer: accountId }, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toPost(row, context));
  });
}

/** POST /bookmarks/delete */
export function createDeleteBookmark(): Endpoint {
  return endpoint(deleteBookmark, async ({ item_id }, caller, db) => {
    // The number of bookmarks is not shown.
    const count = await bookmarks.delete(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { response: { bookmarked: 0 } };
  });
}
