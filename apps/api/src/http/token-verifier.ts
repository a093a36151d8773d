import type { FailureDetails } from '@linnet/applications/failures/failure';
import type { TokenCause } from '@linnet/applications/failures/causes';
import { effectiveScopes, identityScopes } from '@linnet/contract/scopes';
import { revocableClaims } from '@linnet/revocations/revocable-token';
import { errors as joseErrors, jwtVerify } from 'jose';
import { z } from 'zod';

import type { VerificationKeys } from '../keys/verification-keys.ts';
import type { Caller } from './caller.ts';
import type { Challenges, NamedScopes } from './challenges.ts';

/** An access token whose signature and claims are valid. */
export interface VerifiedToken extends Pick<Caller, 'token' | 'expiresAt'> {
  readonly caller: Caller;
}

const clockToleranceSeconds = 5;

const claimsSchema = revocableClaims.extend({
  exp: z.number(),
  /** The application itself, or the account that consented. */
  sub: z.string(),
  scope: z.string().default(''),
  /** The key that the token is bound to (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

const maxTokenLength = 8192;
// Compact JWS in strict base64url; jose accepts some other encodings.
const compactJws = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

interface VerifierOptions {
  readonly baseUrl: string;
  readonly challenges: Challenges;
  readonly keys: Pick<VerificationKeys, 'find'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Verifies the token of an `Authorization` header, except whether it is revoked. @throws ApiError `token-required` or `invalid_token` */
type Verify = (authorization: string, scope: NamedScopes) => Promise<VerifiedToken>;

export function createVerifier({ baseUrl, challenges, keys, now }: VerifierOptions): Verify {
  const audience = `${baseUrl}/api/v2.0`;

  async function verifyToken(token: string): Promise<VerifiedToken> {
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
    const scopes = scope.split(' ');
    const access = { token: { ...claims, kid: String(protectedHeader.kid) }, expiresAt: exp };
    return {
      caller: {
        clientId: claims.client_id,
        scopes: effectiveScopes(scopes),
        accountId: claims.acct,
        grantId: claims.gid,
        hasConsent: claims.acct !== undefined && sub !== claims.client_id,
        isIdentified: claims.acct !== undefined && scopes.some((name) => identityScopes.includes(name)),
        boundTo: cnf?.jkt,
        ...access,
      },
      ...access,
    };
  }

  return async (authorization, scope) => {
    const token = bearerToken(authorization);
    if (token === undefined) throw challenges.tokenRequired(scope);
    if (token.length > maxTokenLength || !compactJws.test(token)) throw challenges.invalidToken(scope);
    const entry = await verifyToken(token).catch((error: unknown) => {
      throw isTokenFault(error) ? challenges.invalidToken(scope, error) : error;
    });
    if (isExpired(entry, now())) throw challenges.invalidToken(scope);
    return entry;
  };
}

/** `now` in milliseconds since 1970. */
export function isExpired({ expiresAt }: VerifiedToken, now: number): boolean {
  return expiresAt + clockToleranceSeconds <= now / 1000;
}

/** RFC 9110 §11.1: the name of the scheme is case-insensitive. */
function bearerToken(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Whether `error` says that the token is not valid. */
function isTokenFault(error: unknown): boolean {
  return error instanceof joseErrors.JOSEError || error instanceof z.ZodError;
}

/** The cause of `invalid_token` for a revoked token. */
export class TokenRevoked extends Error {
  override readonly name = 'TokenRevoked';
  readonly clientId: string;

  constructor(clientId: string) {
    super('the access token is revoked');
    this.clientId = clientId;
  }
}

interface RejectedToken {
  readonly clientId: string;
  readonly cause: TokenCause;
  readonly details: FailureDetails;
}

const expiredClaims = z.object({ client_id: z.string(), iat: z.number(), exp: z.number() });

/** Undefined if the token is not known to be of an application. */
export function findRejectedToken({ cause }: Error): RejectedToken | undefined {
  if (cause instanceof TokenRevoked) return { clientId: cause.clientId, cause: 'token_revoked', details: {} };
  // jose checks the signature before the claims.
  if (cause instanceof joseErrors.JWTExpired) return toExpired(cause.payload);
  return cause instanceof Error && cause.cause !== undefined ? findRejectedToken(cause) : undefined;
}

function toExpired(payload: unknown): RejectedToken | undefined {
  const { success, data } = expiredClaims.safeParse(payload);
  if (!success) return undefined;
  const [issuedAt, expiresAt] = [data.iat, data.exp].map((seconds) => new Date(seconds * 1000).toISOString());
  return { clientId: data.client_id, cause: 'token_expired', details: { issuedAt, expiresAt } };
}
