import { listPosts } from '@linnet/contract/routes';

import { findPosts, listedPosts } from '../../domain/post/post-store.ts';
import { toPostsOfAuthor } from '../../domain/post/post-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pageWindow } from '../../http/paging.ts';

/** GET /post */
export function createListPosts(wire: Wire): Endpoint {
  return endpoint(listPosts, async ({ user_id, count, page }, _caller, db) => {
    const found = await findPosts(db, user_id, pageWindow({ count, page }, listedPosts));
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such account.' });
    const items = toPostsOfAuthor(found.posts, wire);
    return { total: Math.min(found.postsCount, listedPosts), count: items.length, items };
  });
}
