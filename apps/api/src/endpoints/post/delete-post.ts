import { deletePost as route } from '@linnet/contract/routes/post';

import type { Queryable } from '@linnet/db/database';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { notFound, notOwner } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /post/delete. `outside` is the database without the transaction of the request. */
export function createDeletePost(outside: Queryable): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const outcome = await deletePost({ db, outside }, { id, accountId: caller.accountId });
    if (outcome === undefined) throw notFound('post');
    if (outcome === 'not-owner') throw notOwner('post');
    return { status: 'succeeded', message: 'The post was deleted.' };
  });
}
