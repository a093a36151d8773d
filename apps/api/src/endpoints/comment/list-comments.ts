import { listComments } from '@linnet/contract/social-routes';

import { findComments, listedComments } from '../../domain/comment/comment-store.ts';
import { toComment } from '../../domain/comment/comment-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pageWindow } from '../../http/paging.ts';

/** GET /comment */
export function createListComments(wire: Wire): Endpoint {
  return endpoint(listComments, async ({ item_id, count, page }, _caller, db) => {
    const found = await findComments(db, item_id, pageWindow({ count, page }, listedComments));
    if (found === undefined) throw new ApiError('not-found', { detail: 'There is no such post.' });
    const items = found.comments.map((row) => toComment(row, wire));
    return { total: Math.min(found.commentsCount, listedComments), count: items.length, items };
  });
}
