import { listPosts } from '@linnet/contract/routes/post';

import { toPage } from '@linnet/social/list/page';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { findPosts } from '@linnet/social/list-of-posts/account-posts-store';
import { ApiError, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

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
