import { listLikes } from '@linnet/contract/routes/likes';

import { toMarkedAccount } from '@linnet/social/account/account-view';
import { toPage, toListResponse } from '@linnet/social/list/page';
import { findReactingAccounts, maxListedReactions } from '@linnet/social/reaction/reaction-list-store';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /likes */
export function createListLikes(context: ViewContext): Endpoint {
  return endpoint(listLikes, async ({ item_id, ...paging }, caller, db) => {
    const filter = { list: 'likes', postId: item_id, viewer: caller.accountId ?? null } as const;
    const found = await findReactingAccounts(db, filter, toPage(paging, maxListedReactions));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toMarkedAccount(row, context));
  });
}
