import { addFilter } from '@linnet/contract/routes/filters';

import { addWordFilter, toWordFilter } from '@linnet/social/filter/word-filter-store';
import { invalidParameters } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /filters/add */
export function createAddFilter(): Endpoint {
  return endpoint(addFilter, async ({ text, match, ends_at }, { accountId }, db) => {
    const filter = await addWordFilter(db, { accountId, text, isPart: match === 'part', endsAt: ends_at });
    if (filter === undefined) {
      const detail = 'cannot be added: the account has 100 filters; delete one first';
      throw invalidParameters([{ parameter: 'text', code: 'invalid', detail }]);
    }
    return toWordFilter(filter);
  });
}
