import type { Accounts } from '@linnet/accounts/accounts';
import { AccountTaken } from '@linnet/accounts/account';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { findPasswordWeakness } from '@linnet/accounts/password/password-weakness';
import { isEmail, registerAccount } from '@linnet/contract/routes/auth';
import { toAccount } from '@linnet/social/account/account-view';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, nameNotAllowed } from '../http/api-error.ts';
import { endpoint, slowEndpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { RateLimits } from '../http/rate-limit.ts';

/** GET and POST /auth/is_email: 0 free, 1 taken. */
export function createIsEmail(accounts: Accounts): Endpoint {
  return endpoint(isEmail, async ({ email }) => ({ response: (await accounts.isEmailTaken(email)) ? 1 : 0 }));
}

/** POST /auth/register */
export function createRegister(
  accounts: Accounts,
  context: ViewContext,
  limits: Pick<RateLimits, 'countMailbox'>,
): Endpoint {
  return slowEndpoint(registerAccount, async (input) => {
    const { first_name: firstName, last_name: lastName, ...others } = input;
    await limits.countMailbox(input.email);
    const passwordHash = await accounts.hashPassword(input.password);
    return async (db) => {
      try {
        const account = await accounts.registerInTransaction(db, { firstName, lastName, ...others }, passwordHash);
        const weakness = findPasswordWeakness(input.password, { firstName, lastName, ...others });
        const message = weakness === undefined ? 'succeeded' : `succeeded; ${passwordHints[weakness]}`;
        return { message, user: toAccount(account, context) };
      } catch (error) {
        if (error instanceof NameRefused) throw nameNotAllowed(error, ['first_name', 'last_name']);
        throw error instanceof AccountTaken ? toConflict(error) : error;
      }
    };
  });
}

/** The specification accepts every password of six characters. */
const passwordHints = {
  common: 'the password is one of the most common ones, choose another',
  'same-as-name': 'the password is a name or the e-mail address of its owner, choose another',
} as const;

function toConflict({ fields }: AccountTaken): ApiError {
  return new ApiError(fields.includes('email') ? 'email-taken' : 'username-taken', {
    errors: fields.map((parameter) => ({ parameter, code: 'taken', detail: 'is already in use by another account' })),
  });
}
