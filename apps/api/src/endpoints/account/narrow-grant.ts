import { narrowGrant as route } from '@linnet/contract/routes/account';

import { narrowGrant } from '../../grants/grant-store.ts';
import { toGrant } from '../../grants/grant-view.ts';
import { ApiError, invalidParameters } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /account/grants/narrow */
export function createNarrowGrant(): Endpoint {
  return endpoint(route, async ({ id, scope: kept }, caller, db) => {
    const narrowed = await narrowGrant(db, caller, { id, kept });
    if (narrowed === undefined) throw new ApiError('not-found', { detail: 'There is no such grant.' });
    if (narrowed !== 'wider') return toGrant(narrowed);
    // What an application has that acts as its owner is registered with it, in the developer area.
    const detail = 'must be scopes that the grant has; one of kind act_as_owner has those that are registered';
    throw invalidParameters([{ parameter: 'scope', code: 'invalid', detail }]);
  });
}
