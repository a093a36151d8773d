import { isLiked } from '@linnet/contract/routes/likes';

import { likes } from '@linnet/social/reaction/reaction-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /likes/is_liked: 1 liked, 0 not liked. */
export function createIsLiked(): Endpoint {
  return endpoint(isLiked, async ({ item_id }, caller, db) => {
    const liked = await likes.exists(db, caller.accountId, item_id);
    if (liked === undefined) throw notFound('post');
    return { response: { liked: liked ? 1 : 0 } };
  });
}
