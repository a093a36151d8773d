import type { Accounts } from '@linnet/accounts/accounts';
import { checkUsername } from '@linnet/contract/routes/account';

import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /account/check_username: 1 taken, 0 free. */
export function createCheckUsername(accounts: Accounts): Endpoint {
  return endpoint(checkUsername, async ({ username }) => ({
    response: { status: (await accounts.isUsernameTaken(username)) ? 1 : 0 },
  }));
}
