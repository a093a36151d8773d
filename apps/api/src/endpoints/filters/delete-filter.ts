import { deleteFilter } from '@linnet/contract/routes/filters';

import { removeWordFilter } from '@linnet/social/filter/word-filter-store';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /filters/delete */
export function createDeleteFilter(): Endpoint {
  return endpoint(deleteFilter, async ({ id }, { accountId }, db) => {
    if (!(await removeWordFilter(db, accountId, id))) throw notFound('filter');
    return { status: 'succeeded', message: 'The filter was deleted.' };
  });
}
