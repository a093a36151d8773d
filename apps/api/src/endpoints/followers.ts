import { deleteFollower as route } from '@linnet/contract/routes/followers';

import { removeFollower } from '@linnet/social/follow/follow-request-store';
import { notFound } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /followers/delete */
export function createDeleteFollower(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const count = await removeFollower(db, id, caller.accountId);
    if (count === undefined) throw notFound('account');
    return { count };
  });
}
