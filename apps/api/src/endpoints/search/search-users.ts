import { searchUsers } from '@linnet/contract/routes/search';

import { toMarkedAccount } from '@linnet/social/account/account-view';
import { toPage, toListResponse } from '@linnet/social/list/page';
import { maxFoundAccounts } from '@linnet/social/search/account-search-store';
import type { FindAccountsBySearch } from '@linnet/social/search/account-search-store';
import type { ViewContext } from '@linnet/social/view-context';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /search/users. `find`: in PostgreSQL, or in a search engine beside it. */
export function createSearchUsers(find: FindAccountsBySearch, context: ViewContext): Endpoint {
  return endpoint(searchUsers, async ({ query, ...paging }, caller, db) => {
    const search = { text: query, viewer: caller.accountId ?? null };
    const found = await find(db, search, toPage(paging, maxFoundAccounts));
    return toListResponse(found, (account) => toMarkedAccount(account, context));
  });
}
