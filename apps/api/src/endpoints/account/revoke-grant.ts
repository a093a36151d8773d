import { revokeGrant as route } from '@linnet/contract/grant-routes';

import { revokeGrant } from '../../grants/grant-store.ts';
import { ApiError } from '../../http/api-error.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /account/grants/revoke */
export function createRevokeGrant(): Endpoint {
  return endpoint(route, async ({ id }, caller, db) => {
    const holder = { ...caller, accountId: actingAccount(caller), grantId: caller.grantId };
    const isRevoked = await revokeGrant(db, holder, id);
    if (!isRevoked) throw new ApiError('not-found', { detail: 'There is no such grant.' });
    return { status: 'succeeded', message: 'The grant has ended.' };
  });
}
