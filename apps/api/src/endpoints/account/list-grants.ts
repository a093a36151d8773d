import { listGrants } from '@linnet/contract/routes/account';

import { findGrants } from '../../grants/grant-store.ts';
import { toGrant } from '../../grants/grant-view.ts';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /account/grants */
export function createListGrants(): Endpoint {
  return endpoint(listGrants, async (paging, caller, db) => {
    return toListResponse(await findGrants(db, caller, toPage(paging)), toGrant);
  });
}
