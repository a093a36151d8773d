import { listBookmarks } from '@linnet/contract/routes/bookmarks';

import { toListResponse, toPage } from '@linnet/social/list/page';
import { findKeptPosts } from '@linnet/social/list-of-posts/kept-posts-store';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /bookmarks */
export function createListBookmarks(context: ViewContext): Endpoint {
  return endpoint(listBookmarks, async (paging, { accountId }, db) => {
    const found = await findKeptPosts(db, { list: 'bookmarks', accountId, viewer: accountId }, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toPost(row, context));
  });
}
