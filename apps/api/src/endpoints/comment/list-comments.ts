import { listComments } from '@linnet/contract/routes/comment';

import { findComments, maxListedComments } from '@linnet/social/comment/comment-list-store';
import { toComment } from '@linnet/social/comment/comment-view';
import { toPage, toListResponse } from '@linnet/social/list/page';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /comment */
export function createListComments(context: ViewContext): Endpoint {
  return endpoint(listComments, async ({ item_id, ...paging }, caller, db) => {
    const filter = { postId: item_id, viewer: caller.accountId ?? null };
    const found = await findComments(db, filter, toPage(paging, maxListedComments));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toComment(row, context));
  });
}
