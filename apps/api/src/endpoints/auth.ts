import type { Accounts } from '@linnet/accounts/accounts';
import { AccountTaken } from '@linnet/accounts/account';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { findPasswordWeakness } from '@linnet/accounts/password/password-weakness';
import { RegistrationClosed } from '@linnet/accounts/registrations/registrar';
import type { Registrar } from '@linnet/accounts/registrations/registrar';
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

interface RegisterParts {
  readonly accounts: Pick<Accounts, 'hashPassword'>;
  readonly registrar: Registrar;
  readonly context: ViewContext;
  readonly limits: Pick<RateLimits, 'countMailbox'>;
}

/** POST /auth/register */
export function createRegister({ accounts, registrar, context, limits }: RegisterParts): Endpoint {
  return slowEndpoint(registerAccount, async (input, { clientId }) => {
    const { first_name: firstName, last_name: lastName, reason = '', invitation, ...others } = input;
    requireOpen(registrar, invitation);
    await limits.countMailbox(input.email);
    const passwordHash = await accounts.hashPassword(input.password);
    const attempt = { registration: { firstName, lastName, ...others }, reason, clientId, invitation };
    return async (db) => {
      try {
        const { account, isPending } = await registrar.registerWithin(db, attempt, passwordHash);
        const weakness = findPasswordWeakness(input.password, attempt.registration);
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

/** @throws ApiError `registration-closed` */
function requireOpen(registrar: Registrar, invitation: string | undefined): void {
  try {
    registrar.requireOpen(invitation);
  } catch (error) {
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
