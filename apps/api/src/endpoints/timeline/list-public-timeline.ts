import { listPublicTimeline } from '@linnet/contract/routes/timeline';

import { toPage } from '@linnet/social/list/page';
import { maxListedPosts } from '@linnet/social/post/listed-post-row';
import type { ListedPostsView } from '@linnet/social/post/listed-post-view';
import { findPublicPosts } from '@linnet/social/post/public-timeline-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /timeline/public */
export function createListPublicTimeline(toResponse: ListedPostsView): Endpoint {
  return endpoint(listPublicTimeline, async (paging, caller, db) => {
    const found = await findPublicPosts(db, caller.accountId ?? null, toPage(paging, maxListedPosts));
    return await toResponse(db, found);
  });
}
