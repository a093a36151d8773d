import type { Accounts } from '@linnet/accounts/accounts';
import { deleteAccount } from '@linnet/contract/routes/account';

import { ApiError, accountGone } from '../../http/api-error.ts';
import { slowEndpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

interface Limiting {
  /** False: wrong passwords are not limited (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

/** POST /account/delete. The account disappears at once; a job updates the counters of others. */
export function createDeleteAccount(accounts: Accounts, { isLimited }: Limiting): Endpoint {
  return slowEndpoint(deleteAccount, async ({ password }, caller) => {
    const { accountId } = caller;
    const check = await accounts.checkDeletion({ accountId, password, isLimited });
    if (check.outcome === 'not-found') throw accountGone();
    if (check.outcome === 'wrong-password') throw wrongPassword();
    if (check.outcome === 'too-many-attempts') {
      throw new ApiError('rate-limited', {
        detail: 'Too many wrong passwords. Wait as many seconds as `Retry-After` says, then retry.',
        headers: { 'Retry-After': String(check.retryAfterSeconds) },
      });
    }
    return async (db) => {
      // The password may have changed since it was checked.
      if (!(await accounts.delete({ accountId, epoch: check.epoch }, db))) throw wrongPassword();
      return { status: 'succeeded', message: 'The account was deleted. An operator can restore it for 14 days.' };
    };
  });
}

function wrongPassword(): ApiError {
  return new ApiError('wrong-password', {
    errors: [{ parameter: 'password', code: 'invalid', detail: 'must be the current password of the account' }],
  });
}
