import { listSuggested } from '@linnet/contract/routes/users';

import { findSuggestedAccounts, toSuggestedAccount } from '@linnet/social/suggestion/suggestion-store';
import type { ViewContext } from '@linnet/social/view-context';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/suggested */
export function createListSuggested(context: ViewContext): Endpoint {
  return endpoint(listSuggested, async ({ count }, { accountId }, db) => {
    const found = await findSuggestedAccounts(db, { accountId, limit: count });
    const items = found.map((row) => toSuggestedAccount(row, context));
    return { total: items.length, count: items.length, items };
  });
}
