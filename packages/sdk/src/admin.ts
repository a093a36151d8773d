import { createCalls } from './api.ts';
import { generateKey } from './dpop.ts';
import { adminCalls } from './generated/admin-calls.ts';
import type { AdminCalls } from './generated/admin-calls.ts';
import { createOAuthRequests } from './oauth.ts';
import type { ClientOptions } from './oauth.ts';
import { applicationTokens } from './tokens.ts';

// oxlint-disable-next-line oxc/no-barrel-file -- the entry point @linnet/sdk/admin
export type * from './generated/admin-calls.ts';
export type { CallOptions, List } from './call.ts';
export { ApiError, AuthorizationError, ConnectionError, isApiError, LinnetError } from './errors.ts';
export type { ClientOptions } from './oauth.ts';

export interface AdminOptions extends ClientOptions {
  /** Default: `admin:read admin:write`. */
  readonly scope?: string | undefined;
  /** Binds the tokens to a key of this process (DPoP, RFC 9449), so that others cannot use them. */
  readonly dpop?: boolean | undefined;
}

/** The admin API, for an application that an operator has allowed. Sends no request until you call a method. */
export function createAdmin({ scope = 'admin:read admin:write', dpop = false, ...options }: AdminOptions): AdminCalls {
  const requests = createOAuthRequests(options);
  let key: Promise<CryptoKeyPair> | undefined;
  const boundKey = dpop ? async () => await (key ??= generateKey()) : undefined;
  const tokens = applicationTokens(async () => await requests.clientCredentials(scope, boundKey), boundKey);
  return createCalls(adminCalls, options, tokens) as AdminCalls; // generated from the same rows
}
