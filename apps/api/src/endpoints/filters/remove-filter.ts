import { removeFilter } from '@linnet/contract/routes/filters';

import { removeWordFilter } from '@linnet/social/filter/word-filter-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /filters/remove */
export function createRemoveFilter(): Endpoint {
  return endpoint(removeFilter, async ({ id }, { accountId }, db) => {
    const isRemoved = await removeWordFilter(db, accountId, id);
    return { response: { removed: isRemoved ? 1 : 0 } };
  });
}
