import { deleteBlock as route } from '@linnet/contract/routes/blocks';

import { removeBlock } from '@linnet/social/block/block-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /blocks/delete */
export function createDeleteBlock(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    if (!(await removeBlock(db, caller.accountId, id))) throw notFound('account');
    return { response: { blocking: 0 } };
  });
}
