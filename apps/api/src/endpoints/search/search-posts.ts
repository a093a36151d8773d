import { searchPosts } from '@linnet/contract/routes/search';

import { toPage } from '@linnet/social/list/page';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import type { FindPostsBySearch } from '@linnet/social/search/post-search-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /search/posts. `find`: in PostgreSQL, or in a search engine beside it. */
export function createSearchPosts(find: FindPostsBySearch, toResponse: ListedPostsView): Endpoint {
  return endpoint(searchPosts, async ({ query, ...paging }, caller, db) => {
    const search = { query, viewer: caller.accountId ?? null };
    // By number, as many posts can be reached as in other lists; by cursor all.
    return await toResponse(db, await find(db, search, toPage(paging, maxListedPosts)));
  });
}
