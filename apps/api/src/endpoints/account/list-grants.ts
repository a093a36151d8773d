import { listGrants } from '@linnet/contract/grant-routes';

import { findGrants } from '../../grants/grant-store.ts';
import { toGrant } from '../../grants/grant-view.ts';
import { toListAnswer } from '@linnet/social/list/page-view';
import { toPage } from '@linnet/social/list/page';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /account/grants */
export function createListGrants(): Endpoint {
  return endpoint(listGrants, async (paging, caller, db) => {
    const holder = { ...caller, accountId: actingAccount(caller), grantId: caller.grantId };
    return toListAnswer(await findGrants(db, holder, toPage(paging)), toGrant);
  });
}
