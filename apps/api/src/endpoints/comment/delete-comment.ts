import { deleteComment as route } from '@linnet/contract/routes/comment';

import { deleteComment } from '@linnet/social/comment/comment-store';
import { notFound, notOwner } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /comment/delete */
export function createDeleteComment(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const outcome = await deleteComment(db, { id, accountId: caller.accountId });
    if (outcome === undefined) throw notFound('comment');
    if (outcome === 'not-owner') throw notOwner('comment', 'that account and the author of the post');
    return { status: 'succeeded', message: 'The comment was deleted.' };
  });
}
