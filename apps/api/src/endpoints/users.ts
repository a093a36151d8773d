import {
  isUser,
  listFavorites,
  listFollowers,
  listFollowing,
  listSuggested,
  lookUpUsers,
  showUser,
} from '@linnet/contract/routes/users';
import type { Queryable } from '@linnet/db/statement/transaction';
import { accountExists, findAccounts } from '@linnet/social/account/account-lookup-store';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import { findShownAccount, toShownAccount } from '@linnet/social/account/shown-account-store';
import type { Viewer } from '@linnet/social/account/visibility';
import { findFollows } from '@linnet/social/follow/follow-list-store';
import type { FollowListName } from '@linnet/social/follow/follow-list-store';
import { findKeptPosts } from '@linnet/social/list-of-posts/kept-posts-store';
import { toListResponse, toPage } from '@linnet/social/list/page';
import type { PageInput } from '@linnet/social/list/page';
import { toPost } from '@linnet/social/post/post-view';
import { findSuggestedAccounts, toSuggestedAccount } from '@linnet/social/suggestion/suggestion-store';
import type { ViewContext } from '@linnet/social/view-context';

import { invalidParameters, notFound } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /users/is: 0 exists, 1 does not exist (decisions D37). */
export function createIsUser(): Endpoint {
  return endpoint(isUser, async ({ id }, _caller, db) => {
    const exists = await accountExists(db, id);
    return { response: { user: exists ? 0 : 1 }, exists };
  });
}

/** GET /users/favorites */
export function createListFavorites(context: ViewContext): Endpoint {
  return endpoint(listFavorites, async ({ id, ...paging }, caller, db) => {
    const filter = { list: 'likes', accountId: id, viewer: caller.accountId ?? null } as const;
    const found = await findKeptPosts(db, filter, toPage(paging));
    if (found === undefined) throw notFound('account');
    return toListResponse(found, (row) => toPost(row, context));
  });
}

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

/** GET /users/suggested */
export function createListSuggested(context: ViewContext): Endpoint {
  return endpoint(listSuggested, async ({ count }, { accountId }, db) => {
    const found = await findSuggestedAccounts(db, { accountId, limit: count });
    const items = found.map((row) => toSuggestedAccount(row, context));
    return { total: items.length, count: items.length, items };
  });
}

/** GET /users/lookup */
export function createLookUpUsers(context: ViewContext): Endpoint {
  return endpoint(lookUpUsers, async ({ id = [], username = [] }, caller, db) => {
    const asked = { ids: id, usernames: username, viewer: caller.accountId ?? null };
    const { accounts, missingIds, missingUsernames } = await findAccounts(db, asked);
    const objectType = 'account' as const;
    return {
      count: accounts.length,
      items: accounts.map((row) => toMarkedAccount(row, context)),
      missing: [
        ...missingIds.map((one) => ({ objectType, id: one })),
        ...missingUsernames.map((one) => ({ objectType, username: one })),
      ],
    };
  });
}

/** GET /users/show */
export function createShowUser(context: ViewContext): Endpoint {
  return endpoint(showUser, async ({ id, username }, caller, db) => {
    const key = username === undefined ? (id ?? caller.accountId) : id;
    if (key === undefined && username === undefined) {
      throw invalidParameters([
        { parameter: 'id', code: 'missing', detail: 'is required when the access token acts for no account' },
      ]);
    }
    const row = await findShownAccount(db, { id: key, username, viewer: caller.accountId ?? null });
    if (row === undefined) throw notFound('account');
    const isOwn = caller.accountId === row['author.id'];
    const maySeeEmail = isOwn && caller.scopes.has('email');
    const { post, protected: isProtected, quoters, ...identity } = toShownAccount(row, { isOwn, maySeeEmail }, context);
    return caller.scopes.has('users:read') ? { ...identity, protected: isProtected, quoters, post } : identity;
  });
}
