import { narrowGrant as route } from '@linnet/contract/routes/account';

import { narrowGrant } from '../../grants/grant-store.ts';
import { toGrant } from '../../grants/grant-view.ts';
import { invalidParameters, notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /account/grants/narrow */
export function createNarrowGrant(): Endpoint {
  return endpoint(route, async ({ id, scope: kept }, caller, db) => {
    const narrowed = await narrowGrant(db, caller, { id, kept });
    if (narrowed === undefined) throw notFound('grant');
    if (narrowed !== 'wider') return toGrant(narrowed);
    // An application that acts as its owner has the scopes that the developer area registers for it.
    const detail = 'must contain only scopes of the grant, and the grant must be of kind `consent`';
    throw invalidParameters([{ parameter: 'scope', code: 'invalid', detail }]);
  });
}
