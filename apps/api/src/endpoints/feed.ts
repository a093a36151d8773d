import { listFeed, listPublicTimeline } from '@linnet/contract/routes/feed';

import { toPage } from '@linnet/social/list/page';
import { createFeed } from '@linnet/social/feed/feed-store';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { findPublicPosts } from '@linnet/social/list-of-posts/public-posts-store';
import type { Timelines } from '@linnet/social/feed/timeline-build-store';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /feed */
export function createListFeed(toResponse: ListedPostsView, timelines: Timelines): Endpoint {
  const findFeed = createFeed(timelines);
  return endpoint(listFeed, async (paging, caller, db) => {
    const found = await findFeed(db, caller.accountId, toPage(paging, maxListedPosts));
    return await toResponse(db, found);
  });
}

/** GET /timeline/public */
export function createListPublicTimeline(toResponse: ListedPostsView): Endpoint {
  return endpoint(listPublicTimeline, async (paging, caller, db) => {
    const found = await findPublicPosts(db, caller.accountId ?? null, toPage(paging, maxListedPosts));
    return await toResponse(db, found);
  });
}
