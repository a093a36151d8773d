import type { Route } from '@linnet/contract/route';
import type { Scope } from '@linnet/contract/scopes';
import type { Queries, Transactional } from '@linnet/db/statement/transaction';
import type { RevocableToken } from '@linnet/revocations/revocable-token';

import { ApiError } from './api-error.ts';

/** Who makes a request, according to the access token. */
export interface Caller {
  readonly clientId: string;
  /** Granted scopes and those they imply. */
  readonly scopes: ReadonlySet<Scope>;
  /** The acting account; `undefined` when the application acts on its own (decisions D45). */
  readonly accountId: number | undefined;
  /** The grant of the token; `undefined` when the application acts on its own. */
  readonly grantId: string | undefined;
  /** True when a person consented; false for client credentials. */
  readonly hasConsent: boolean;
  /** True when the token says who its account is; see `identityScopes`. */
  readonly isIdentified: boolean;
  /** Thumbprint of the key that the token is bound to; `undefined` for a plain bearer token. */
  readonly boundTo: string | undefined;
  /** What the access depends on, for responses that stay open. */
  readonly token: RevocableToken;
  /** When the token expires, in seconds since 1970. */
  readonly expiresAt: number;
}

/** A caller whose token acts for an account. */
interface ActingCaller extends Caller {
  readonly accountId: number;
}

/** What a handler receives: the row decides whether the account is optional. */
export type CallerOf<RequiresAccount extends boolean> = RequiresAccount extends true ? ActingCaller : Caller;

type AccountRule<RequiresAccount extends boolean> = Pick<Route<unknown, unknown, RequiresAccount>, 'requiresAccount'>;

/**
 * The caller with the account that its route requires.
 * @throws ApiError `user-context-required` when the route requires an account and the token acts for none.
 */
export function requireAccount<RequiresAccount extends boolean>(
  route: AccountRule<RequiresAccount>,
  caller: Caller,
): CallerOf<RequiresAccount> {
  if (route.requiresAccount && caller.accountId === undefined) {
    throw new ApiError('user-context-required', {
      detail: 'This endpoint needs a token that acts for an account. This token belongs to the application itself.',
    });
  }
  return caller as CallerOf<RequiresAccount>; // the condition above checks what the type states
}

/** The database for the requests of a caller: its account's or, if it acts for none, its application's; with the test people of its developer. */
export function databaseFor(db: Queries, { accountId, clientId, token }: Caller): Transactional {
  if (token.sb !== undefined) return db.withTestPeopleOf(token.sb);
  return db.onBehalfOf(accountId ?? clientId);
}

/** Whether the caller may not make the call, but propose it to the person. A token that can publish proposes nothing. */
export function proposes({ scopes }: Pick<Caller, 'scopes'>, { isProposable = false, scope }: ScopeRule): boolean {
  return isProposable && scope !== null && !scopes.has(scope) && scopes.has('posts:propose') && !scopes.has('posts');
}

/** Whether the caller may make the call without its scope, for what it proposes. */
export function preparesProposal({ scopes }: Pick<Caller, 'scopes'>, { servesProposals = false }: Route): boolean {
  return servesProposals && scopes.has('posts:propose');
}

type ScopeRule = Pick<Route, 'isProposable' | 'scope'>;
