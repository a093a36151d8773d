import { deleteLike } from '@linnet/contract/routes/likes';

import { likes } from '@linnet/social/reaction/reaction-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /likes/delete */
export function createDeleteLike(): Endpoint {
  return endpoint(deleteLike, async ({ item_id }, caller, db) => {
    const count = await likes.delete(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { count };
  });
}
