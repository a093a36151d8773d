import { deleteFollow as route } from '@linnet/contract/routes/follows';

import { deleteFollow } from '@linnet/social/follow/follow-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /follows/delete */
export function createDeleteFollow(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const count = await deleteFollow(db, caller.accountId, id);
    if (count === undefined) throw notFound('account');
    return { count };
  });
}
