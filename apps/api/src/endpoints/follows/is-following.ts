import { isFollowing as route } from '@linnet/contract/routes/follows';

import { findFollow } from '@linnet/social/follow/follow-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /follows/is_following: 1 for yes, 0 for no. */
export function createIsFollowing(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const found = await findFollow(db, caller.accountId, id);
    if (found === undefined) throw notFound('account');
    return { response: { following: found.following ? 1 : 0, requested: found.requested ? 1 : 0 } };
  });
}
