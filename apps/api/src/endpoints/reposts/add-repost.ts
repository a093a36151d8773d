import { addRepost } from '@linnet/contract/routes/reposts';

import { reposts } from '@linnet/social/reaction/reaction-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /reposts/add */
export function createAddRepost(): Endpoint {
  return endpoint(addRepost, async ({ item_id }, caller, db) => {
    const count = await reposts.add(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { count };
  });
}
