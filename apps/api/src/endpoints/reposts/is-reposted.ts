import { isReposted as route } from '@linnet/contract/routes/reposts';

import { isReposted } from '@linnet/social/repost/repost-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /reposts/is_reposted: 1 reposted, 0 not reposted. */
export function createIsReposted(): Endpoint {
  return endpoint(route, async ({ item_id }, caller, db) => {
    const reposted = await isReposted(db, caller.accountId, item_id);
    if (reposted === undefined) throw notFound('post');
    return { response: { reposted: reposted ? 1 : 0 } };
  });
}
