import { addFollow as route } from '@linnet/contract/routes/follows';

import { addFollow } from '@linnet/social/follow/follow-store';
import { ApiError, invalidParameters } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /follows/add */
export function createAddFollow(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const { accountId: followerId } = caller;
    if (id === followerId) {
      throw invalidParameters([{ parameter: 'id', code: 'invalid', detail: 'is the account itself' }]);
    }
    const added = await addFollow(db, followerId, id);
    if (added === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    return { count: added.count, requested: added.requested ? 1 : 0 };
  });
}
