import { addLike, deleteLike, isLiked, listLikes } from '@linnet/contract/routes/likes';
import { toMarkedAccount } from '@linnet/social/account/account-view';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { findReactingAccounts, maxListedReactions } from '@linnet/social/reaction/reaction-list-store';
import { likes } from '@linnet/social/reaction/reaction-store';
import type { ViewContext } from '@linnet/social/view-context';

import { notFound } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint, PlainEndpoint } from '../http/endpoint.ts';

/** POST /likes/add */
export function createAddLike(): PlainEndpoint {
  return endpoint(addLike, async ({ item_id }, caller, db) => {
    const count = await likes.add(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { count };
  });
}

/** POST /likes/delete */
export function createDeleteLike(): Endpoint {
  return endpoint(deleteLike, async ({ item_id }, caller, db) => {
    const count = await likes.delete(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { count };
  });
}

/** GET /likes/is_liked: 1 liked, 0 not liked. */
export function createIsLiked(): Endpoint {
  return endpoint(isLiked, async ({ item_id }, caller, db) => {
    const liked = await likes.exists(db, caller.accountId, item_id);
    if (liked === undefined) throw notFound('post');
    return { response: { liked: liked ? 1 : 0 } };
  });
}

/** GET /likes */
export function createListLikes(context: ViewContext): Endpoint {
  return endpoint(listLikes, async ({ item_id, ...paging }, caller, db) => {
    const filter = { list: 'likes', postId: item_id, viewer: caller.accountId ?? null } as const;
    const found = await findReactingAccounts(db, filter, toPage(paging, maxListedReactions));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toMarkedAccount(row, context));
  });
}
