import { listTrendingHashtags } from '@linnet/contract/routes/hashtags';

import { findTrends } from '@linnet/social/hashtag/trend-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /hashtags/trending */
export function createListTrendingHashtags(): Endpoint {
  return endpoint(listTrendingHashtags, async ({ count }, _caller, db) => {
    const items = await findTrends(db, count);
    return { total: items.length, count: items.length, items };
  });
}
