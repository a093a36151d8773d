import { listPostHistory } from '@linnet/contract/routes/post';
import { toPage, toListResponse } from '@linnet/social/list/page';
import { findPostHistory, toPostVersion } from '@linnet/social/post/post-edit-store';
import type { ViewContext } from '@linnet/social/view-context';

import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /post/history */
export function createListPostHistory(context: ViewContext): Endpoint {
  return endpoint(listPostHistory, async ({ id, ...paging }, caller, db) => {
    const found = await findPostHistory(db, { postId: id, viewer: caller.accountId ?? null }, toPage(paging));
    if (found === undefined) throw notFound('post');
    return toListResponse(found, (row) => toPostVersion(row, context));
  });
}
