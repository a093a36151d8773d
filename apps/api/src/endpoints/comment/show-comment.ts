import { showComment } from '@linnet/contract/routes/comment';
import { findComment } from '@linnet/social/comment/comment-store';
import { toComment } from '@linnet/social/comment/comment-view';
import type { ViewContext } from '@linnet/social/view-context';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /comment/show */
export function createShowComment(context: ViewContext): Endpoint {
  return endpoint(showComment, async ({ id }, caller, db) => {
    const row = await findComment(db, id, caller.accountId ?? null);
    if (row === undefined) throw notFound('comment');
    return { items: toComment(row, context) };
  });
}
