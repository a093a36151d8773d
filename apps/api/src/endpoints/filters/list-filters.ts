import { listFilters } from '@linnet/contract/routes/filters';

import { findWordFilters, toWordFilter } from '@linnet/social/filter/word-filter-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /filters */
export function createListFilters(): Endpoint {
  return endpoint(listFilters, async (_input, { accountId }, db) => {
    const items = (await findWordFilters(db, accountId)).map(toWordFilter);
    return { total: items.length, count: items.length, items };
  });
}
