import { listGrants } from '@linnet/contract/grant-routes';

import { findGrants } from '../../domain/grant/grant-store.ts';
import { toGrant } from '../../domain/grant/grant-view.ts';
import { toListAnswer } from '../../domain/list/page-view.ts';
import { toPage } from '../../domain/list/page.ts';
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
