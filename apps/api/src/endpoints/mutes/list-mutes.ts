import { listMutes } from '@linnet/contract/routes/mutes';

import { toPage, toListResponse } from '@linnet/social/list/page';
import { findMutes, toMutedAccount } from '@linnet/social/mute/mute-store';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /mutes */
export function createListMutes(context: ViewContext): Endpoint {
  return endpoint(listMutes, async (paging, caller, db) => {
    const found = await findMutes(db, caller.accountId, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toMutedAccount(row, context));
  });
}
