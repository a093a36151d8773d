import { hash } from 'node:crypto';

import type { Scope } from '@linnet/contract/scopes';
import type { CacheUse } from '@linnet/service/metrics/watch';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { LRUCache } from 'lru-cache';

import type { Caller } from './caller.ts';
import { createChallenges } from './challenges.ts';
import type { ProtectedResource } from './protected-resource.ts';
import { TokenRevoked } from './rejected-token.ts';
import { clockToleranceSeconds, createVerifier, isTokenFault } from './token-verifier.ts';
import type { VerifiedToken } from './token-verifier.ts';
import type { VerificationKeys } from '../keys/verification-keys.ts';

/** Verifies access tokens (RFC 9068 §4). `authentication.ts` checks the DPoP proof of a bound token. */
export interface BearerAuth {
  /**
   * At once for a token that was verified before. `scope` is what the request requires; the challenge of `token-required`
   * names it. Rejects with ApiError `token-required` or `invalid_token`, or with DatabaseUnavailable when its revocation
   * cannot be checked.
   */
  authenticate(authorization: string, scope?: Scope | null): Caller | Promise<Caller>;
  /** @throws ApiError `insufficient_scope` when the caller lacks `scope`. */
  requireScope(caller: Caller, scope: Scope | null): void;
  /** The use of the cache of verified tokens. */
  readonly cacheUse: () => CacheUse;
}

const rememberedTokens = 10_000;
const maxTokenLength = 8192;
// Compact JWS in strict base64url; jose accepts some other encodings.
const compactJws = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

interface BearerAuthOptions {
  readonly baseUrl: string;
  /** Challenges name its metadata. */
  readonly resource: ProtectedResource;
  readonly keys: VerificationKeys;
  readonly feed: Pick<RevocationFeed, 'isRevoked'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createBearerAuth(options: BearerAuthOptions): BearerAuth {
  const { baseUrl, resource, keys, feed, now = Date.now } = options;
  const challenges = createChallenges(baseUrl, resource);
  const remembered = new LRUCache<string, VerifiedToken>({ max: rememberedTokens });
  const looked = { hits: 0, misses: 0 };

  const verify = createVerifier({ baseUrl, keys, now });
  const isExpired = (entry: VerifiedToken): boolean => entry.expiresAt + clockToleranceSeconds <= now() / 1000;

  async function verifyHeader(authorization: string, scope: Scope | null): Promise<VerifiedToken> {
    const token = bearerToken(authorization);
    if (token === undefined) throw challenges.tokenRequired(scope);
    if (token.length > maxTokenLength || !compactJws.test(token)) throw challenges.invalidToken();
    const entry = await verify(token).catch((error: unknown) => {
      throw isTokenFault(error) ? challenges.invalidToken(error) : error;
    });
    if (isExpired(entry)) throw challenges.invalidToken();
    return entry;
  }

  async function requireLive(entry: VerifiedToken, isRevoked: boolean | Promise<boolean>): Promise<Caller> {
    if (await isRevoked) throw challenges.invalidToken(new TokenRevoked(entry.caller.clientId));
    return entry.caller;
  }

  async function authenticateNew(authorization: string, scope: Scope | null): Promise<Caller> {
    const entry = await verifyHeader(authorization, scope);
    remembered.set(fingerprintOf(authorization), entry);
    return await requireLive(entry, feed.isRevoked(entry.token));
  }

  function authenticate(authorization: string, scope: Scope | null = null): Caller | Promise<Caller> {
    // Verifying a signature costs a hundred times as much as this look-up.
    const entry = authorization === '' ? undefined : remembered.get(fingerprintOf(authorization));
    if (entry === undefined || isExpired(entry) || !keys.isPublished(entry.token.kid)) {
      looked.misses += 1;
      return authenticateNew(authorization, scope);
    }
    looked.hits += 1;
    const isRevoked = feed.isRevoked(entry.token);
    return isRevoked === false ? entry.caller : requireLive(entry, isRevoked);
  }

  function requireScope(caller: Caller, scope: Scope | null): void {
    if (scope === null || caller.scopes.has(scope)) return;
    throw challenges.insufficientScope(scope, caller);
  }

  return { authenticate, requireScope, cacheUse: () => ({ entries: remembered.size, ...looked }) };
}

/** Of the whole header, so that nothing else of it needs to be looked at. */
function fingerprintOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}

/** RFC 9110 §11.1: the name of the scheme is case-insensitive. */
function bearerToken(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}
