import { revokeGrant as route } from '@linnet/contract/routes/account';

import { revokeGrant } from '../../grants/grant-store.ts';
import { notFound } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /account/grants/revoke */
export function createRevokeGrant(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    if (!(await revokeGrant(db, caller, id))) throw notFound('grant');
    return { status: 'succeeded', message: 'The grant was revoked.' };
  });
}
