import { listHashtagPosts, listTrendingHashtags, searchHashtags } from '@linnet/contract/routes/hashtags';
import { foldCase } from '@linnet/db/text/search-words';
import { findHashtagPosts } from '@linnet/social/hashtag/hashtag-post-store';
import { searchHashtags as findHashtags } from '@linnet/social/hashtag/hashtag-search-store';
import { findTrends } from '@linnet/social/hashtag/trend-store';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { toPage } from '@linnet/social/list/page';

import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /hashtags/posts */
export function createListHashtagPosts(toResponse: ListedPostsView): Endpoint {
  return endpoint(listHashtagPosts, async ({ hashtag, ...paging }, caller, db) => {
    const filter = { hashtag: foldCase(hashtag), viewer: caller.accountId ?? null };
    return await toResponse(db, await findHashtagPosts(db, filter, toPage(paging, maxListedPosts)));
  });
}

/** GET /hashtags/trending */
export function createListTrendingHashtags(): Endpoint {
  return endpoint(listTrendingHashtags, async ({ count }, _caller, db) => {
    const items = await findTrends(db, count);
    return { total: items.length, count: items.length, items };
  });
}

/** GET /hashtags/search */
export function createSearchHashtags(): Endpoint {
  return endpoint(searchHashtags, async ({ hashtag, count }, caller, db) => {
    const items = await findHashtags(db, { prefix: foldCase(hashtag), viewer: caller.accountId ?? null, limit: count });
    return { total: items.length, count: items.length, items };
  });
}
