import { listBlocks } from '@linnet/contract/routes/blocks';

import { toMarkedAccount } from '@linnet/social/account/account-view';
import { findBlocks } from '@linnet/social/block/block-store';
import { toPage, toListResponse } from '@linnet/social/list/page';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /blocks */
export function createListBlocks(context: ViewContext): Endpoint {
  return endpoint(listBlocks, async (paging, caller, db) => {
    const found = await findBlocks(db, caller.accountId, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toMarkedAccount(row, context));
  });
}
