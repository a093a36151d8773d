import { addFilter, deleteFilter, listFilters } from '@linnet/contract/routes/filters';
import {
  addWordFilter,
  findWordFilters,
  removeWordFilter,
  toWordFilter,
} from '@linnet/social/filter/word-filter-store';

import { invalidParameters, notFound } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

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

/** GET /filters */
export function createListFilters(): Endpoint {
  return endpoint(listFilters, async (_input, { accountId }, db) => {
    const items = (await findWordFilters(db, accountId)).map(toWordFilter);
    return { total: items.length, count: items.length, items };
  });
}

/** POST /filters/delete */
export function createDeleteFilter(): Endpoint {
  return endpoint(deleteFilter, async ({ id }, { accountId }, db) => {
    if (!(await removeWordFilter(db, accountId, id))) throw notFound('filter');
    return { status: 'succeeded', message: 'The filter was deleted.' };
  });
}
