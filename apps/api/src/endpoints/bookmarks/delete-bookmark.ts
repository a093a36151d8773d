import { deleteBookmark } from '@linnet/contract/routes/bookmarks';

import { bookmarks } from '@linnet/social/reaction/reaction-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /bookmarks/delete */
export function createDeleteBookmark(): Endpoint {
  return endpoint(deleteBookmark, async ({ item_id }, caller, db) => {
    // The number of bookmarks is not shown.
    const count = await bookmarks.delete(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { response: { bookmarked: 0 } };
  });
}
