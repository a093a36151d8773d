import { listFeed } from '@linnet/contract/routes/feed';

import { toListResponse } from '@linnet/social/list/page-view';
import { toPage } from '@linnet/social/list/page';
import { findFeed } from '@linnet/social/post/feed-store';
import { maxListedPosts } from '@linnet/social/post/listed-post-row';
import { createListedPostView } from '@linnet/social/post/listed-post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /feed */
export function createListFeed(context: ViewContext): Endpoint {
  return endpoint(listFeed, async (paging, caller, db) => {
    const found = await findFeed(db, caller.accountId, toPage(paging, maxListedPosts));
    return toListResponse(found, createListedPostView(context));
  });
}
