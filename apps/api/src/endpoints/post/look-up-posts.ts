import { lookUpPosts } from '@linnet/contract/routes/post';
import { findPostsById } from '@linnet/social/post/post-store';
import { toPost } from '@linnet/social/post/post-view';
import type { ViewContext } from '@linnet/social/view-context';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /post/lookup */
export function createLookUpPosts(context: ViewContext): Endpoint {
  return endpoint(lookUpPosts, async ({ id }, caller, db) => {
    const ids = [...new Set(id)];
    const rows = await findPostsById(db, ids, caller.accountId ?? null);
    const found = new Set(rows.map((row) => row.id));
    const missing = ids.filter((one) => !found.has(one));
    return {
      count: rows.length,
      items: rows.map((row) => toPost(row, context)),
      missing: missing.map((one) => ({ objectType: 'post' as const, id: one })),
    };
  });
}
