import { listFavorites } from '@linnet/contract/social-routes';

import { findLikedPosts } from '../../domain/like/like-list-store.ts';
import { toListAnswer } from '../../domain/list/page-view.ts';
import { toPage } from '../../domain/list/page.ts';
import { toPost } from '../../domain/post/post-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/favorites */
export function createListFavorites(wire: Wire): Endpoint {
  return endpoint(listFavorites, async ({ id, ...paging }, caller, db) => {
    const found = await findLikedPosts(db, { accountId: id, viewer: caller.accountId ?? null }, toPage(paging));
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    return toListAnswer(found, (row) => toPost(row, wire));
  });
}
