import { isUser } from '@linnet/contract/routes/users';

import { accountExists } from '@linnet/social/account/account-lookup-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /users/is: 0 exists, 1 does not exist (decisions D37). */
export function createIsUser(): Endpoint {
  return endpoint(isUser, async ({ id }, _caller, db) => {
    const exists = await accountExists(db, id);
    return { response: { user: exists ? 0 : 1 }, exists };
  });
}
