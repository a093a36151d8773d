import { rejectFollow as route } from '@linnet/contract/graph-routes';

import { rejectRequest } from '@linnet/social/follow/follow-request-store';
import { ApiError } from '../../http/api-error.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /follows/reject */
export function createRejectFollow(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const count = await rejectRequest(db, id, actingAccount(caller));
    if (count === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    return { count };
  });
}
