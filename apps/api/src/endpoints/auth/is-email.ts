import type { Accounts } from '@linnet/accounts/accounts';
import { isEmail } from '@linnet/contract/routes/auth';

import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET and POST /auth/is_email: 0 free, 1 taken. */
export function createIsEmail(accounts: Accounts): Endpoint {
  return endpoint(isEmail, async ({ email }) => ({ response: (await accounts.isEmailTaken(email)) ? 1 : 0 }));
}
