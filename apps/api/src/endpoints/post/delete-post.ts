import { deletePost as route } from '@linnet/contract/routes/post';

import type { Queryable } from '@linnet/db/database';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /post/delete; `outside`: the database without the transaction of a call. */
export function createDeletePost(outside: Queryable): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const outcome = await deletePost({ db, outside }, { id, accountId: caller.accountId });
    if (outcome === undefined) throw new ApiError('not-found', { detail: 'There is no such post.' });
    if (outcome === 'not-owner') throw new ApiError('not-owner', { detail: 'The post is another person’s.' });
    return { status: 'succeeded', message: 'The post was deleted.' };
  });
}
