import { listPosts } from '@linnet/contract/routes/post';

import { toListResponse } from '@linnet/social/list/page-view';
import { toPage } from '@linnet/social/list/page';
import { maxListedPosts } from '@linnet/social/post/listed-post-row';
import { createListedPostView } from '@linnet/social/post/listed-post-view';
import { findPosts } from '@linnet/social/post/post-list-store';
import type { ViewContext } from '@linnet/social/view-context';
import { ApiError, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /post */
export function createListPosts(context: ViewContext): Endpoint {
  return endpoint(listPosts, async ({ user_id, ...paging }, caller, db) => {
    const filter = { accountId: user_id, viewer: caller.accountId ?? null };
    const found = await findPosts(db, filter, toPage(paging, maxListedPosts));
    if (found === undefined) throw notFound('account');
    if (found === 'hidden') throw new ApiError('protected-account');
    const { subject, ...paged } = found;
    return toListResponse(paged, createListedPostView(context, subject));
  });
}
