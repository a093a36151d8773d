import type { Scope } from '@linnet/contract/scopes';

import { ApiError } from './api-error.ts';

/** Who calls, as the access token tells. */
export interface Caller {
  readonly clientId: string;
  /** Granted scopes and those they imply. */
  readonly scopes: ReadonlySet<Scope>;
  /** The account the token acts for; absent for an application on its own (decisions D45). */
  readonly accountId: number | undefined;
  /** The grant of the token; absent for an application on its own. */
  readonly grantId?: string | undefined;
  /** Somebody let the application in; false when it acts by its own credentials. */
  readonly isLetIn: boolean;
  /** Thumbprint of the key that the token is bound to; absent for a token that works alone. */
  readonly boundTo?: string | undefined;
}

/**
 * The account the call acts as.
 * @throws ApiError `user-context-required` for a token that acts for no account.
 */
export function actingAccount(caller: Caller): number {
  if (caller.accountId !== undefined) return caller.accountId;
  throw new ApiError('user-context-required', {
    detail: 'This call acts as an account, and the access token belongs to the application alone.',
  });
}
