import { listFollowRequests } from '@linnet/contract/social-routes';

import { toAccount } from '../../domain/account/account-view.ts';
import { findFollows } from '../../domain/follow/follow-list-store.ts';
import { toListAnswer } from '../../domain/list/page-view.ts';
import { toPage } from '../../domain/list/page.ts';
import type { Wire } from '../../domain/wire.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /follows/requests */
export function createListFollowRequests(wire: Wire): Endpoint {
  return endpoint(listFollowRequests, async (paging, caller, db) => {
    const found = await findFollows(db, { list: 'requests', accountId: actingAccount(caller) }, toPage(paging));
    return toListAnswer(found ?? { total: 0, items: [] }, (row) => toAccount(row, wire));
  });
}
