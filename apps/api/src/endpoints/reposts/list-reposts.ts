import { listReposts } from '@linnet/contract/routes/reposts';

import { toMarkedAccount } from '@linnet/social/account/account-view';
import { toPage, toListResponse } from '@linnet/social/list/page';
import { findReactingAccounts, maxListedReactions } from '@linnet/social/reaction/reaction-list-store';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /reposts */
export function createListReposts(context: ViewContext): Endpoint {
  return endpoint(listReposts, async ({ item_id, ...paging }, caller, db) => {
    const filter = { list: 'reposts', postId: item_id, viewer: caller.accountId ?? null } as const;
    const found = await findReactingAccounts(db, filter, toPage(paging, maxListedReactions));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toMarkedAccount(row, context));
  });
}
