import type { Accounts } from '@linnet/accounts/accounts';
import { deleteAccount } from '@linnet/contract/routes/account';

import { ApiError, accountGone } from '../../http/api-error.ts';
import { slowEndpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

interface Limiting {
  /** False: wrong passwords are not counted out (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

/** POST /account/delete: gone at once; what it counted for with others is set aside by a job. */
export function createDeleteAccount(accounts: Accounts, { isLimited }: Limiting): Endpoint {
  return slowEndpoint(deleteAccount, async ({ password }, caller) => {
    const { accountId } = caller;
    const check = await accounts.checkDeletion({ accountId, password, isLimited });
    if (check.outcome === 'not-found') throw accountGone();
    if (check.outcome === 'wrong-password') throw wrongPassword();
    if (check.outcome === 'too-many-attempts') {
      throw new ApiError('rate-limited', {
        detail: 'The password was wrong too often.',
        headers: { 'Retry-After': String(check.retryAfterSeconds) },
      });
    }
    return async (db) => {
      // A password that was changed meanwhile is no longer the one that was checked.
      if (!(await accounts.delete({ accountId, epoch: check.epoch }, db))) throw wrongPassword();
      return { status: 'succeeded', message: 'The account was deleted. It can be restored for 14 days.' };
    };
  });
}

function wrongPassword(): ApiError {
  return new ApiError('wrong-password', {
    errors: [{ parameter: 'password', code: 'invalid', detail: 'is not the password of the account' }],
  });
}
