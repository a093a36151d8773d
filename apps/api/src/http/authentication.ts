import { hash } from 'node:crypto';

import type { Scope } from '@linnet/contract/scopes';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { CacheUse } from '@linnet/service/metrics/watch';
import { LRUCache } from 'lru-cache';

import type { VerificationKeys } from '../keys/verification-keys.ts';
import { createBoundTokens } from './bound-token.ts';
import type { RememberProof } from './bound-token.ts';
import type { Caller } from './caller.ts';
import { createChallenges } from './challenges.ts';
import type { NamedScopes, ProtectedResource } from './challenges.ts';
import { headerOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { TokenRevoked, createVerifier, isExpired } from './token-verifier.ts';
import type { VerifiedToken } from './token-verifier.ts';

/** Accepts bearer tokens (RFC 9068 §4), and tokens bound to a key with a DPoP proof (RFC 9449). */
export interface Authentication {
  /**
   * At once for a bearer token that is known. `scope` is what the request requires; the challenge of `token-required`
   * names it. @throws ApiError `token-required` or `invalid_token`. DatabaseUnavailable when its revocation cannot be checked.
   */
  readonly authenticate: (received: Pick<Exchange, 'request' | 'path'>, scope: NamedScopes) => Caller | Promise<Caller>;
  /** @throws ApiError `insufficient_scope` when the caller lacks `scope`. */
  readonly requireScope: (caller: Caller, scope: Scope | null) => void;
}

const rememberedTokens = 10_000;

interface AuthenticationOptions {
  readonly baseUrl: string;
  /** Challenges name its metadata. */
  readonly resource: ProtectedResource;
  readonly keys: VerificationKeys;
  readonly feed: Pick<RevocationFeed, 'isRevoked'>;
  readonly rememberProof: RememberProof;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Rejects a bound token without a proof, and a proof with a token that is not bound (checklist RS13). */
export function createAuthentication(
  options: AuthenticationOptions,
): Authentication & { readonly cacheUse: () => CacheUse } {
  const { baseUrl, resource, keys, feed, rememberProof, now = Date.now } = options;
  const challenges = createChallenges(baseUrl, resource);
  const verify = createVerifier({ baseUrl, challenges, keys, now });
  const bound = createBoundTokens({ baseUrl, challenges, rememberProof, findCaller, now });
  const remembered = new LRUCache<string, VerifiedToken>({ max: rememberedTokens });
  const looked = { hits: 0, misses: 0 };

  function findCaller(authorization: string, scope: NamedScopes): Caller | Promise<Caller> {
    // Verifying a signature costs a hundred times as much as this look-up.
    const entry = authorization === '' ? undefined : remembered.get(fingerprintOf(authorization));
    if (entry === undefined || isExpired(entry, now()) || !keys.isPublished(entry.token.kid)) {
      looked.misses += 1;
      return findNewCaller(authorization, scope);
    }
    looked.hits += 1;
    const isRevoked = feed.isRevoked(entry.token);
    return isRevoked === false ? entry.caller : requireLive(entry, isRevoked, scope);
  }

  async function findNewCaller(authorization: string, scope: NamedScopes): Promise<Caller> {
    const entry = await verify(authorization, scope);
    remembered.set(fingerprintOf(authorization), entry);
    return await requireLive(entry, feed.isRevoked(entry.token), scope);
  }

  type Revoked = ReturnType<typeof feed.isRevoked>;
  async function requireLive({ caller }: VerifiedToken, isRevoked: Revoked, scope: NamedScopes): Promise<Caller> {
    if (await isRevoked) throw challenges.invalidToken(scope, new TokenRevoked(caller.clientId));
    return caller;
  }

  function requireUnbound(caller: Caller): Caller {
    if (caller.boundTo !== undefined) throw challenges.boundToken();
    return caller;
  }

  return {
    authenticate: (received, scope) => {
      const authorization = headerOf(received.request, 'authorization');
      const boundToken = /^dpop +(\S+) *$/i.exec(authorization)?.[1];
      if (boundToken !== undefined) return bound.authenticate(boundToken, received);
      const caller = findCaller(authorization, scope);
      return caller instanceof Promise ? caller.then(requireUnbound) : requireUnbound(caller);
    },
    requireScope: (caller, scope) => {
      if (scope === null || caller.scopes.has(scope)) return;
      throw challenges.insufficientScope(scope, caller);
    },
    cacheUse: () => ({ entries: remembered.size, ...looked }),
  };
}

/** Of the whole header, so that nothing else of it needs to be looked at. */
function fingerprintOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}
