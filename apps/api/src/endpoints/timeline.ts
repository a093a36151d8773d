import { listPublicTimeline } from '@linnet/contract/routes/timeline';

import { toPage } from '@linnet/social/list/page';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { findPublicPosts } from '@linnet/social/list-of-posts/public-posts-store';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /timeline/public */
export function createListPublicTimeline(toResponse: ListedPostsView): Endpoint {
  return endpoint(listPublicTimeline, async (paging, caller, db) => {
    const found = await findPublicPosts(db, caller.accountId ?? null, toPage(paging, maxListedPosts));
    return await toResponse(db, found);
  });
}
