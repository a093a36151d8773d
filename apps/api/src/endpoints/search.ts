import { searchPosts, searchUsers } from '@linnet/contract/routes/search';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { maxFoundAccounts } from '@linnet/social/search/account-search-store';
import type { FindAccountsBySearch } from '@linnet/social/search/account-search-store';
import type { FindPostsBySearch } from '@linnet/social/search/post-search-store';
import type { ViewContext } from '@linnet/social/view-context';

import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /search/posts. `find`: in PostgreSQL, or in a search engine beside it. */
export function createSearchPosts(find: FindPostsBySearch, toResponse: ListedPostsView): Endpoint {
  return endpoint(searchPosts, async ({ query, ...paging }, caller, db) => {
    const search = { query, viewer: caller.accountId ?? null };
    // By number, as many posts can be reached as in other lists; by cursor all.
    return await toResponse(db, await find(db, search, toPage(paging, maxListedPosts)));
  });
}

/** GET /search/users. `find`: in PostgreSQL, or in a search engine beside it. */
export function createSearchUsers(find: FindAccountsBySearch, context: ViewContext): Endpoint {
  return endpoint(searchUsers, async ({ query, ...paging }, caller, db) => {
    const search = { text: query, viewer: caller.accountId ?? null };
    const found = await find(db, search, toPage(paging, maxFoundAccounts));
    return toListResponse(found, (account) => toMarkedAccount(account, context));
  });
}
