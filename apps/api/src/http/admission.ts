import type { Route } from '@linnet/contract/route';

import type { Authentication } from './authentication.ts';
import { requireAccount } from './caller.ts';
import type { Caller } from './caller.ts';
import { headerOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { RateLimits } from './rate-limit.ts';

interface Admission {
  /** At once for a token that was verified before. @throws ApiError */
  authenticate(exchange: Exchange, route: Route): Caller | Promise<Caller>;
  /** Checks scope and account, and counts the request. Returns a promise only if counting takes a statement. @throws ApiError */
  admit(exchange: Exchange, route: Route, caller: Caller): Promise<void> | undefined;
}

interface AdmissionParts {
  readonly auth: Authentication;
  readonly limits: RateLimits;
}

/** The first steps of every request: token → scope → account → rate limits. */
export function createAdmission({ auth, limits }: AdmissionParts): Admission {
  return {
    authenticate: ({ request, path }, { scope }) => {
      const authorization = headerOf(request, 'authorization');
      const proof = headerOf(request, 'dpop');
      return auth.authenticate({ authorization, proof, method: request.method ?? '', path, scope });
    },
    admit: (exchange, route, caller) => {
      const { state } = exchange;
      state.clientId = caller.clientId;
      if (caller.accountId !== undefined) state.accountId = caller.accountId;
      auth.requireScope(caller, route.scope);
      requireAccount(route, caller);
      return limits.countRequest(exchange, route);
    },
  };
}
