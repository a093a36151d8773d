import { listFollowRequests } from '@linnet/contract/routes/follows';

import { toMarkedAccount } from '@linnet/social/account/account-view';
import { findFollows } from '@linnet/social/follow/follow-list-store';
import { toListResponse, toPage } from '@linnet/social/list/page';
import type { ViewContext } from '@linnet/social/view-context';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /follows/requests */
export function createListFollowRequests(context: ViewContext): Endpoint {
  return endpoint(listFollowRequests, async (paging, caller, db) => {
    const found = await findFollows(
      db,
      { list: 'requests', accountId: caller.accountId, viewer: caller.accountId },
      toPage(paging),
    );
    return toListResponse(found ?? { total: 0, items: [], hasNewer: false }, (row) => toMarkedAccount(row, context));
  });
}
