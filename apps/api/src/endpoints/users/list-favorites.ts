import { listFavorites } from '@linnet/contract/routes/users';

import { toListResponse, toPage } from '@linnet/social/list/page';
import { findKeptPosts } from '@linnet/social/list-of-posts/kept-posts-store';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/favorites */
export function createListFavorites(context: ViewContext): Endpoint {
  return endpoint(listFavorites, async ({ id, ...paging }, caller, db) => {
    const filter = { list: 'likes', accountId: id, viewer: caller.accountId ?? null } as const;
    const found = await findKeptPosts(db, filter, toPage(paging));
    if (found === undefined) throw notFound('account');
    return toListResponse(found, (row) => toPost(row, context));
  });
}
