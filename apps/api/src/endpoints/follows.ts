import {
  addFollow as addFollowRoute,
  approveFollow as approveFollowRoute,
  deleteFollow as deleteFollowRoute,
  deleteFollower as deleteFollowerRoute,
  isFollowing as isFollowingRoute,
  listFollowRequests,
  rejectFollow as rejectFollowRoute,
} from '@linnet/contract/routes/follows';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import { findFollows } from '@linnet/social/follow/follow-list-store';
import { approveRequest, rejectRequest, removeFollower } from '@linnet/social/follow/follow-request-store';
import { addFollow, deleteFollow, findFollow } from '@linnet/social/follow/follow-store';
import { toListResponse, toPage } from '@linnet/social/list/page';
import type { ViewContext } from '@linnet/social/view-context';

import { notFound, requireAnother } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint, PlainEndpoint } from '../http/endpoint.ts';

/** POST /follows/add */
export function createAddFollow(): PlainEndpoint {
  return endpoint(addFollowRoute, async ({ id }, caller, db) => {
    const { accountId: followerId } = caller;
    requireAnother(id, followerId, 'an account cannot follow itself');
    const added = await addFollow(db, followerId, id);
    if (added === undefined) throw notFound('account');
    return { count: added.count, requested: added.requested ? 1 : 0 };
  });
}

/** POST /follows/requests/approve */
export function createApproveFollow(): Endpoint {
  return endpoint(approveFollowRoute, async ({ id }, caller, db) => {
    const count = await approveRequest(db, id, caller.accountId);
    if (count === undefined) throw notFound('follow request');
    return { count };
  });
}

/** POST /follows/delete */
export function createDeleteFollow(): Endpoint {
  return endpoint(deleteFollowRoute, async ({ id }, caller, db) => {
    const count = await deleteFollow(db, caller.accountId, id);
    if (count === undefined) throw notFound('account');
    return { count };
  });
}

/** GET /follows/is_following: 1 for yes, 0 for no. */
export function createIsFollowing(): Endpoint {
  return endpoint(isFollowingRoute, async ({ id }, caller, db) => {
    const found = await findFollow(db, caller.accountId, id);
    if (found === undefined) throw notFound('account');
    return { response: { following: found.following ? 1 : 0, requested: found.requested ? 1 : 0 } };
  });
}

/** GET /follows/requests */
export function createListFollowRequests(context: ViewContext): Endpoint {
  return endpoint(listFollowRequests, async (paging, caller, db) => {
    const found = await findFollows(
      db,
      { list: 'requests', accountId: caller.accountId, viewer: caller.accountId },
      toPage(paging),
    );
    return toListResponse(found ?? { total: 0, items: [], hasNewer: false }, (row) => toMarkedAccount(row, context));
  });
}

/** POST /follows/requests/reject */
export function createRejectFollow(): Endpoint {
  return endpoint(rejectFollowRoute, async ({ id }, caller, db) => {
    const count = await rejectRequest(db, id, caller.accountId);
    if (count === undefined) throw notFound('account');
    return { count };
  });
}

/** POST /followers/delete */
export function createDeleteFollower(): Endpoint {
  return endpoint(deleteFollowerRoute, async ({ id }, caller, db) => {
    const count = await removeFollower(db, id, caller.accountId);
    if (count === undefined) throw notFound('account');
    return { count };
  });
}
