import { addRepost, deleteRepost, isReposted, listReposts } from '@linnet/contract/routes/reposts';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { findReactingAccounts, maxListedReactions } from '@linnet/social/reaction/reaction-list-store';
import { reposts } from '@linnet/social/reaction/reaction-store';
import type { ViewContext } from '@linnet/social/view-context';

import { notFound } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint, PlainEndpoint } from '../http/endpoint.ts';

/** POST /reposts/add */
export function createAddRepost(): PlainEndpoint {
  return endpoint(addRepost, async ({ item_id }, caller, db) => {
    const count = await reposts.add(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { count };
  });
}

/** POST /reposts/delete */
export function createDeleteRepost(): Endpoint {
  return endpoint(deleteRepost, async ({ item_id }, caller, db) => {
    const count = await reposts.delete(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { count };
  });
}

/** GET /reposts/is_reposted: 1 reposted, 0 not reposted. */
export function createIsReposted(): Endpoint {
  return endpoint(isReposted, async ({ item_id }, caller, db) => {
    const reposted = await reposts.exists(db, caller.accountId, item_id);
    if (reposted === undefined) throw notFound('post');
    return { response: { reposted: reposted ? 1 : 0 } };
  });
}

/** GET /reposts */
export function createListReposts(context: ViewContext): Endpoint {
  return endpoint(listReposts, async ({ item_id, ...paging }, caller, db) => {
    const filter = { list: 'reposts', postId: item_id, viewer: caller.accountId ?? null } as const;
    const found = await findReactingAccounts(db, filter, toPage(paging, maxListedReactions));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toMarkedAccount(row, context));
  });
}
