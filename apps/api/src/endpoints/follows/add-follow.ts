import { addFollow as route } from '@linnet/contract/routes/follows';

import { addFollow } from '@linnet/social/follow/follow-store';
import { notFound, requireAnother } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /follows/add */
export function createAddFollow(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const { accountId: followerId } = caller;
    requireAnother(id, followerId, 'an account cannot follow itself');
    const added = await addFollow(db, followerId, id);
    if (added === undefined) throw notFound('account');
    return { count: added.count, requested: added.requested ? 1 : 0 };
  });
}
