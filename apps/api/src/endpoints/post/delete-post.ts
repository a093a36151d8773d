import { deletePost as route } from '@linnet/contract/graph-routes';

import { deletePost } from '@linnet/social/post/post-delete-store';
import { ApiError } from '../../http/api-error.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /post/delete */
export function createDeletePost(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const outcome = await deletePost(db, { id, accountId: actingAccount(caller) });
    if (outcome === undefined) throw new ApiError('not-found', { detail: 'There is no such post.' });
    if (outcome === 'not-owner') throw new ApiError('not-owner', { detail: 'The post is another person’s.' });
    return { status: 'succeeded', message: 'The post was deleted.' };
  });
}
