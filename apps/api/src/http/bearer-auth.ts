import { hash } from 'node:crypto';

import { effectiveScopes } from '@linnet/contract/scopes';
import type { Scope } from '@linnet/contract/scopes';
import type { CacheUse } from '@linnet/service/metrics-watch';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { revocableClaims } from '@linnet/revocations/revocable-token';
import type { RevocableToken } from '@linnet/revocations/revocable-token';
import { errors as joseErrors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import type { Caller } from './caller.ts';
import { createChallenges } from './challenges.ts';
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

interface Remembered {
  readonly caller: Caller;
  readonly token: RevocableToken;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

const clockToleranceSeconds = 5;
const rememberedTokens = 10_000;
const maxTokenLength = 8192;
// Compact JWS in strict base64url; jose accepts some other encodings.
const compactJws = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

const claimsSchema = revocableClaims.extend({
  exp: z.number(),
  /** The application itself, or the account that consented. */
  sub: z.string(),
  scope: z.string().default(''),
  /** The key that the token is bound to (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

interface BearerAuthOptions {
  readonly baseUrl: string;
  readonly keys: VerificationKeys;
  readonly feed: Pick<RevocationFeed, 'isRevoked'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createBearerAuth({ baseUrl, keys, feed, now = Date.now }: BearerAuthOptions): BearerAuth {
  const challenges = createChallenges(baseUrl);
  const remembered = new LRUCache<string, Remembered>({ max: rememberedTokens });
  const looked = { hits: 0, misses: 0 };

  const verify = createVerifier({ baseUrl, keys, feed, now });
  const isExpired = (entry: Remembered): boolean => entry.expiresAt + clockToleranceSeconds <= now() / 1000;

  async function verifyHeader(authorization: string, scope: Scope | null): Promise<Remembered> {
    const token = bearerToken(authorization);
    if (token === undefined) throw challenges.tokenRequired(scope);
    if (token.length > maxTokenLength || !compactJws.test(token)) throw challenges.invalidToken();
    const entry = await verify(token).catch((error: unknown) => {
      throw isTokenFault(error) ? challenges.invalidToken(error) : error;
    });
    if (isExpired(entry)) throw challenges.invalidToken();
    return entry;
  }

  async function requireLive(entry: Remembered, isRevoked: boolean | Promise<boolean>): Promise<Caller> {
    if (await isRevoked) throw challenges.invalidToken();
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

/** Returns a function that verifies a token, except whether it is revoked. */
function createVerifier({ baseUrl, keys, now = Date.now }: BearerAuthOptions): (token: string) => Promise<Remembered> {
  const audience = `${baseUrl}/api/v2.0`;
  return async (token) => {
    const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
      issuer: baseUrl,
      audience,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat', 'jti', 'client_id'],
      currentDate: new Date(now()),
    });
    const { exp, scope, sub, cnf, ...claims } = claimsSchema.parse(payload);
    return {
      caller: {
        clientId: claims.client_id,
        scopes: effectiveScopes(scope.split(' ')),
        accountId: claims.acct,
        grantId: claims.gid,
        hasConsent: claims.acct !== undefined && sub !== claims.client_id,
        boundTo: cnf?.jkt,
      },
      token: { ...claims, kid: String(protectedHeader.kid) },
      expiresAt: exp,
    };
  };
}

/** Of the whole header, so that nothing else of it needs to be looked at. */
function fingerprintOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}

function isTokenFault(error: unknown): boolean {
  return error instanceof joseErrors.JOSEError || error instanceof z.ZodError;
}

/** RFC 9110 §11.1: the name of the scheme is case-insensitive. */
function bearerToken(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}
