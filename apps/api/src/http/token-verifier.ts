import { effectiveScopes } from '@linnet/contract/scopes';
import { revocableClaims } from '@linnet/revocations/revocable-token';
import { errors as joseErrors, jwtVerify } from 'jose';
import { z } from 'zod';

import type { Caller } from './caller.ts';
import type { VerificationKeys } from '../keys/verification-keys.ts';

/** An access token whose signature and claims are valid. */
export interface VerifiedToken extends Pick<Caller, 'token' | 'expiresAt'> {
  readonly caller: Caller;
}

export const clockToleranceSeconds = 5;

const claimsSchema = revocableClaims.extend({
  exp: z.number(),
  /** The application itself, or the account that consented. */
  sub: z.string(),
  scope: z.string().default(''),
  /** The key that the token is bound to (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

interface VerifierOptions {
  readonly baseUrl: string;
  readonly keys: Pick<VerificationKeys, 'find'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Returns a function that verifies a token, except whether it is revoked. */
export function createVerifier({
  baseUrl,
  keys,
  now = Date.now,
}: VerifierOptions): (token: string) => Promise<VerifiedToken> {
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
    const access = { token: { ...claims, kid: String(protectedHeader.kid) }, expiresAt: exp };
    return {
      caller: {
        clientId: claims.client_id,
        scopes: effectiveScopes(scope.split(' ')),
        accountId: claims.acct,
        grantId: claims.gid,
        hasConsent: claims.acct !== undefined && sub !== claims.client_id,
        boundTo: cnf?.jkt,
        ...access,
      },
      ...access,
    };
  };
}

/** Whether `error` says that the token is not valid. */
export function isTokenFault(error: unknown): boolean {
  return error instanceof joseErrors.JOSEError || error instanceof z.ZodError;
}
