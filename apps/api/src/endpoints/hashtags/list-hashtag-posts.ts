import { listHashtagPosts } from '@linnet/contract/routes/hashtags';
import { foldCase } from '@linnet/db/text/search-words';

import { findHashtagPosts } from '@linnet/social/hashtag/hashtag-post-store';
import { toPage } from '@linnet/social/list/page';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /hashtags/posts */
export function createListHashtagPosts(toResponse: ListedPostsView): Endpoint {
  return endpoint(listHashtagPosts, async ({ hashtag, ...paging }, caller, db) => {
    const filter = { hashtag: foldCase(hashtag), viewer: caller.accountId ?? null };
    return await toResponse(db, await findHashtagPosts(db, filter, toPage(paging, maxListedPosts)));
  });
}
