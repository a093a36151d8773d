import { listFollowers, listFollowing } from '@linnet/contract/routes/users';
import type { Queryable } from '@linnet/db/database';

import { toMarkedAccount } from '@linnet/social/account/account-view';
import type { Viewer } from '@linnet/social/account/visibility';
import { findFollows } from '@linnet/social/follow/follow-list-store';
import type { FollowListName } from '@linnet/social/follow/follow-list-store';
import { toListResponse, toPage } from '@linnet/social/list/page';
import type { PageInput } from '@linnet/social/list/page';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/followers */
export function createListFollowers(context: ViewContext): Endpoint {
  return endpoint(
    listFollowers,
    async (input, caller, db) =>
      await listFollows(db, context, { ...input, list: 'followers', viewer: caller.accountId ?? null }),
  );
}

/** GET /users/following */
export function createListFollowing(context: ViewContext): Endpoint {
  return endpoint(
    listFollowing,
    async (input, caller, db) =>
      await listFollows(db, context, { ...input, list: 'following', viewer: caller.accountId ?? null }),
  );
}

interface Query extends PageInput {
  readonly id: number;
  readonly list: FollowListName;
  readonly viewer: Viewer;
}

async function listFollows(db: Queryable, context: ViewContext, { id, list, viewer, ...paging }: Query) {
  const found = await findFollows(db, { list, accountId: id, viewer }, toPage(paging));
  if (found === undefined) throw notFound('account');
  return toListResponse(found, (row) => toMarkedAccount(row, context));
}
