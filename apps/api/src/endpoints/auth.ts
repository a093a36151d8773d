import type { Accounts } from '@linnet/accounts/accounts';
import { AccountTaken } from '@linnet/accounts/account';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { findPasswordWeakness } from '@linnet/accounts/password/password-weakness';
import { RegistrationClosed, RegistrationRefused } from '@linnet/accounts/registrations/registrar';
import type { Admitted, Attempt, Registrar } from '@linnet/accounts/registrations/registrar';
import { isEmail, registerAccount } from '@linnet/contract/routes/auth';
import { toAccount } from '@linnet/social/account/account-view';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, nameNotAllowed } from '../http/api-error.ts';
import { endpoint, slowEndpoint } from '../http/endpoint.ts';
import type { Endpoint, Sender } from '../http/endpoint.ts';
import type { RateLimits } from '../http/rate-limit.ts';

/** GET and POST /auth/is_email: 0 free, 1 taken. */
export function createIsEmail(accounts: Accounts): Endpoint {
  return endpoint(isEmail, async ({ email }) => ({ response: (await accounts.isEmailTaken(email)) ? 1 : 0 }));
}

interface RegisterParts {
  readonly accounts: Pick<Accounts, 'hashPassword'>;
  readonly registrar: Registrar;
  readonly context: ViewContext;
  readonly limits: Pick<RateLimits, 'countMailbox'>;
  readonly addressOf: (sender: Sender) => string;
}

/** POST /auth/register */
export function createRegister({ accounts, registrar, context, limits, addressOf }: RegisterParts): Endpoint {
  return slowEndpoint(registerAccount, async (input, { clientId }, sender) => {
    const { first_name: firstName, last_name: lastName, reason = '', invitation, ...others } = input;
    const origin = { reason, clientId, invitation, address: addressOf(sender) };
    const admitted = await admit(registrar, { registration: { firstName, lastName, ...others }, ...origin });
    await limits.countMailbox(input.email);
    const passwordHash = await accounts.hashPassword(input.password);
    return async (db) => {
      try {
        const { account, isPending } = await registrar.registerWithin(db, admitted, passwordHash);
        const weakness = findPasswordWeakness(input.password, admitted.registration);
        const state = isPending ? 'pending' : 'succeeded';
        const message = weakness === undefined ? state : `${state}; ${passwordHints[weakness]}`;
        return { message, user: toAccount(account, context) };
      } catch (error) {
        if (error instanceof RegistrationClosed) throw toClosed(error);
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

/** @throws ApiError `registration-closed`, `registration-refused` */
async function admit(registrar: Registrar, attempt: Attempt): Promise<Admitted> {
  try {
    return await registrar.admit(attempt);
  } catch (error) {
    if (error instanceof RegistrationRefused) throw new ApiError('registration-refused');
    throw error instanceof RegistrationClosed ? toClosed(error) : error;
  }
}

function toClosed({ message }: RegistrationClosed): ApiError {
  return new ApiError('registration-closed', { detail: message });
}

function toConflict({ fields }: AccountTaken): ApiError {
  return new ApiError(fields.includes('email') ? 'email-taken' : 'username-taken', {
    errors: fields.map((parameter) => ({ parameter, code: 'taken', detail: 'is already in use by another account' })),
  });
}
