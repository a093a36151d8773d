import { showPost } from '@linnet/contract/routes/post';

import { findPost } from '@linnet/social/post/post-store';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /post/show */
export function createShowPost(context: ViewContext): Endpoint {
  return endpoint(showPost, async ({ id }, caller, db) => {
    const row = await findPost(db, id, caller.accountId ?? null);
    if (row === undefined) throw notFound('post');
    return { items: toPost(row, context) };
  });
}
