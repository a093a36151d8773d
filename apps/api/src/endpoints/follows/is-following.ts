import { isFollowing as route } from '@linnet/contract/routes/follows';

import { findFollow } from '@linnet/social/follow/follow-store';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /follows/is_following: 1 follows, 0 does not; likewise whether it has asked to. */
export function createIsFollowing(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const found = await findFollow(db, caller.accountId, id);
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    return { response: { following: found.following ? 1 : 0, requested: found.requested ? 1 : 0 } };
  });
}
