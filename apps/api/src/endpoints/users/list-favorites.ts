import { listFavorites } from '@linnet/contract/social-routes';

import { findLikedPosts } from '../../domain/like/like-store.ts';
import { toPost } from '../../domain/post/post-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pageRows } from '../../http/paging.ts';

/** GET /users/favorites */
export function createListFavorites(wire: Wire): Endpoint {
  return endpoint(listFavorites, async ({ id, count, page }, _caller, db) => {
    const found = await findLikedPosts(db, id, pageRows({ count, page }));
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    const items = found.posts.map((row) => toPost(row, wire));
    return { total: found.total, count: items.length, items };
  });
}
