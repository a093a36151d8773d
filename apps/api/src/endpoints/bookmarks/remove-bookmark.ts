import { removeBookmark } from '@linnet/contract/routes/bookmarks';

import { bookmarks } from '@linnet/social/bookmark/bookmark-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /bookmarks/remove */
export function createRemoveBookmark(): Endpoint {
  return endpoint(removeBookmark, async ({ item_id }, caller, db) => {
    // The number of bookmarks is not shown.
    const count = await bookmarks.delete(db, caller.accountId, item_id);
    if (count === undefined) throw notFound('post');
    return { response: { bookmarked: 0 } };
  });
}
