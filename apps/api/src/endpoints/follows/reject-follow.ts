import { rejectFollow as route } from '@linnet/contract/routes/follows';

import { rejectRequest } from '@linnet/social/follow/follow-request-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /follows/requests/reject */
export function createRejectFollow(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const count = await rejectRequest(db, id, caller.accountId);
    if (count === undefined) throw notFound('account');
    return { count };
  });
}
