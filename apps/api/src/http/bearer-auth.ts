import { hash } from 'node:crypto';

import { effectiveScopes } from '@linnet/contract/scopes';
import type { Scope } from '@linnet/contract/scopes';
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
   * `scope` is what the request requires; the challenge of `token-required` names it.
   * @throws ApiError `token-required` or `invalid_token`; DatabaseUnavailable when its revocation cannot be checked.
   */
  authenticate(authorization: string, scope?: Scope | null): Promise<Caller>;
  /** @throws ApiError `insufficient_scope` when the caller lacks `scope`. */
  requireScope(caller: Caller, scope: Scope | null): void;
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
  const audience = `${baseUrl}/api/v2.0`;
  const challenges = createChallenges(baseUrl);
  const remembered = new LRUCache<string, Remembered>({ max: rememberedTokens });

  async function verify(token: string): Promise<Remembered> {
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
  }

  async function authenticate(authorization: string, scope: Scope | null = null): Promise<Caller> {
    const token = bearerToken(authorization);
    if (token === undefined) throw challenges.tokenRequired(scope);
    if (token.length > maxTokenLength || !compactJws.test(token)) throw challenges.invalidToken();

    // Verifying a signature costs a hundred times as much as this look-up.
    const fingerprint = hash('sha256', token, 'base64');
    let entry = remembered.get(fingerprint);
    if (entry === undefined || !keys.isPublished(entry.token.kid)) {
      entry = await verify(token).catch((error: unknown) => {
        throw isTokenFault(error) ? challenges.invalidToken(error) : error;
      });
      remembered.set(fingerprint, entry);
    }
    if (entry.expiresAt + clockToleranceSeconds <= now() / 1000) throw challenges.invalidToken();
    if (await feed.isRevoked(entry.token)) throw challenges.invalidToken();
    return entry.caller;
  }

  function requireScope(caller: Caller, scope: Scope | null): void {
    if (scope === null || caller.scopes.has(scope)) return;
    throw challenges.insufficientScope(scope, caller);
  }

  return { authenticate, requireScope };
}

function isTokenFault(error: unknown): boolean {
  return error instanceof joseErrors.JOSEError || error instanceof z.ZodError;
}

/** RFC 9110 §11.1: the name of the scheme is case-insensitive. */
function bearerToken(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}
