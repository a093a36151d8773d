import { listFavorites } from '@linnet/contract/routes/users';

import { findLikedPosts } from '@linnet/social/like/like-list-store';
import { toListResponse } from '@linnet/social/list/page-view';
import { toPage } from '@linnet/social/list/page';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/favorites */
export function createListFavorites(context: ViewContext): Endpoint {
  return endpoint(listFavorites, async ({ id, ...paging }, caller, db) => {
    const found = await findLikedPosts(db, { accountId: id, viewer: caller.accountId ?? null }, toPage(paging));
    if (found === undefined) throw notFound('account');
    return toListResponse(found, (row) => toPost(row, context));
  });
}
