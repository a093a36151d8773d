import { isReposted } from '@linnet/contract/routes/reposts';

import { reposts } from '@linnet/social/reaction/reaction-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /reposts/is_reposted: 1 reposted, 0 not reposted. */
export function createIsReposted(): Endpoint {
  return endpoint(isReposted, async ({ item_id }, caller, db) => {
    const reposted = await reposts.exists(db, caller.accountId, item_id);
    if (reposted === undefined) throw notFound('post');
    return { response: { reposted: reposted ? 1 : 0 } };
  });
}
