import type { Accounts } from '@linnet/accounts/accounts';
import { deleteAccount } from '@linnet/contract/account-routes';

import { ApiError, accountGone } from '../../http/api-error.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /account/delete: gone at once; what it counted for with others is set aside by a job. */
export function createDeleteAccount(accounts: Accounts, { isLimited }: { readonly isLimited: boolean }): Endpoint {
  return endpoint(deleteAccount, async ({ password }, caller, db) => {
    const result = await accounts.delete({ accountId: actingAccount(caller), password, isLimited }, db);
    if (result.outcome === 'gone') throw accountGone();
    if (result.outcome === 'wrong-password') {
      throw new ApiError('wrong-password', {
        errors: [{ parameter: 'password', code: 'invalid', detail: 'is not the password of the account' }],
      });
    }
    if (result.outcome === 'too-many-attempts') {
      throw new ApiError('too-many-attempts', {
        detail: 'The password was wrong too often.',
        headers: { 'Retry-After': String(result.retryAfterSeconds) },
      });
    }
    return { status: 'succeeded', message: 'The account was deleted. It can be restored for 14 days.' };
  });
}
