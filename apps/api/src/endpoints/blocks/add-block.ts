import { addBlock as route } from '@linnet/contract/routes/blocks';

import { addBlock } from '@linnet/social/block/block-store';
import { notFound, requireAnother } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /blocks/add */
export function createAddBlock(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    requireAnother(id, caller.accountId, 'an account cannot block itself');
    if (!(await addBlock(db, caller.accountId, id))) throw notFound('account');
    return { response: { blocking: 1 } };
  });
}
