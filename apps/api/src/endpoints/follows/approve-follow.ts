import { approveFollow as route } from '@linnet/contract/routes/follows';

import { approveRequest } from '@linnet/social/follow/follow-request-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /follows/requests/approve */
export function createApproveFollow(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const count = await approveRequest(db, id, caller.accountId);
    if (count === undefined) throw notFound('follow request');
    return { count };
  });
}
