import { addBlock as addBlockRoute, deleteBlock as deleteBlockRoute, listBlocks } from '@linnet/contract/routes/blocks';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import { addBlock, findBlocks, removeBlock } from '@linnet/social/block/block-store';
import { toListResponse, toPage } from '@linnet/social/list/page';
import type { ViewContext } from '@linnet/social/view-context';

import { accountGone, notFound, requireAnother } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /blocks/add */
export function createAddBlock(): Endpoint {
  return endpoint(addBlockRoute, async ({ id }, caller, db) => {
    requireAnother(id, caller.accountId, 'an account cannot block itself');
    if (!(await addBlock(db, caller.accountId, id))) throw notFound('account');
    return { response: { blocking: 1 } };
  });
}

/** GET /blocks */
export function createListBlocks(context: ViewContext): Endpoint {
  return endpoint(listBlocks, async (paging, caller, db) => {
    const found = await findBlocks(db, caller.accountId, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, (row) => toMarkedAccount(row, context));
  });
}

/** POST /blocks/delete */
export function createDeleteBlock(): Endpoint {
  return endpoint(deleteBlockRoute, async ({ id }, caller, db) => {
    if (!(await removeBlock(db, caller.accountId, id))) throw notFound('account');
    return { response: { blocking: 0 } };
  });
}
