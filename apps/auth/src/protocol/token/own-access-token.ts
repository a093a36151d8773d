import { hash } from 'node:crypto';

import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import type { KeyRing } from '@linnet/keys/key-ring';
import { accessTokenAlgorithm, toPublicJwk } from '@linnet/keys/signing-key';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { revocableClaims } from '@linnet/revocations/revocable-token';
import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { Provider } from 'oidc-provider';
import type { Client } from 'oidc-provider';
import { z } from 'zod';

import { nowSeconds } from '../storage/stored-payload.ts';

const claimsSchema = revocableClaims.extend({
  sub: z.string(),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
  scope: z.string().optional(),
  /** Of a token for a registered API: the id of the API, and its epoch when the token was issued. */
  rs: z.int().optional(),
  re: z.int().optional(),
  /** The key that the token is bound to (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

/** The claims of our access tokens. */
export type OwnAccessToken = Readonly<z.infer<typeof claimsSchema>>;

/**
 * Verifies an access token that we issued. Undefined if it is invalid, expired or revoked. `beforeRevocation` runs before
 * it is asked whether a valid token was revoked.
 * @throws DatabaseUnavailable if it is unknown whether it was revoked.
 */
export type ReadAccessToken = (
  token: string,
  beforeRevocation?: () => Promise<void>,
) => Promise<OwnAccessToken | undefined>;

interface ReadersOptions {
  /** That of our own API. */
  readonly audience: string;
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
  readonly feed: Pick<RevocationFeed, 'isRevoked'>;
}

const clockToleranceSeconds = 5;
/** A verification costs a hundred times as much as looking up the last one. */
const rememberedTokens = 2000;

interface Verified {
  readonly claims: OwnAccessToken;
  readonly kid: string;
}

/** For our endpoints that receive access tokens: userinfo; introspection and revocation. */
export function createAccessTokenReaders(options: ReadersOptions): {
  /** Reads tokens for our own API. */
  readonly readAccessToken: ReadAccessToken;
  /** Reads tokens for every audience. */
  readonly readIssuedToken: ReadAccessToken;
} {
  return {
    readAccessToken: createAccessTokenReader(options, { forEveryAudience: false }),
    readIssuedToken: createAccessTokenReader(options, { forEveryAudience: true }),
  };
}

function createAccessTokenReader(
  { audience, baseUrl, keyRing, feed }: ReadersOptions,
  { forEveryAudience }: { readonly forEveryAudience: boolean },
): ReadAccessToken {
  const keys = createLocalJWKSet({ keys: keyRing.published.map(toPublicJwk) });
  const verify = async (token: string): Promise<Verified | undefined> => {
    const verified = await jwtVerify(token, keys, {
      issuer: baseUrl,
      ...(forEveryAudience ? {} : { audience }),
      typ: 'at+jwt',
      clockTolerance: clockToleranceSeconds,
    }).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    });
    const claims = claimsSchema.safeParse(verified?.payload).data;
    if (claims === undefined || verified === undefined) return undefined;
    const { alg, kid } = verified.protectedHeader;
    // Only registered APIs choose another.
    return claims.aud === audience && alg !== accessTokenAlgorithm ? undefined : { claims, kid: String(kid) };
  };
  const find = rememberVerified(verify);
  return async (token, beforeRevocation) => {
    const found = await find(token);
    if (found === undefined) return undefined;
    const { claims, kid } = found;
    if (beforeRevocation !== undefined) await beforeRevocation();
    return (await feed.isRevoked({ ...claims, kid })) ? undefined : claims;
  };
}

/** Remembers valid tokens by their hash, until they expire. A reader lives as long as its keys are published. */
function rememberVerified(verify: (token: string) => Promise<Verified | undefined>): typeof verify {
  const remembered = new LRUCache<string, Verified>({ max: rememberedTokens });
  return async (token) => {
    const fingerprint = hash('sha256', token, 'base64');
    const known = remembered.get(fingerprint);
    if (known !== undefined && known.claims.exp + clockToleranceSeconds > nowSeconds()) return known;
    const verified = await verify(token);
    if (verified !== undefined) remembered.set(fingerprint, verified);
    return verified;
  };
}

/**
 * Access tokens for registered APIs (RFC 8707) at introspection and revocation. Such a token is active only while its
 * API is, and only two applications may introspect it: the one it was issued to, and the one that the API's owner chose.
 */

/** The registered APIs with these identifiers. */
export type FindApis = (identifiers: readonly string[]) => Promise<readonly RegisteredApi[]>;

export interface OutsideTokens {
  /** Whether a token is for our own API, or for a registered API that has not changed since in a way that revokes it. */
  isAccepted(claims: OwnAccessToken): Promise<boolean>;
  /** Whether the client may introspect the token of the current request for the API it is meant for. */
  isApiOf(client: Client): boolean;
}

interface OutsideTokensOptions {
  /** That of our own API. */
  readonly audience: string;
  readonly findApis: FindApis;
}

/** `currentRequest` returns an object that identifies the current request. */
export function createOutsideTokens(
  { audience, findApis }: OutsideTokensOptions,
  currentRequest: () => object | undefined = () => Provider.ctx,
): OutsideTokens {
  const introspecting = new WeakMap<object, string>();
  return {
    isAccepted: async ({ aud, rs, re }) => {
      if (aud === audience) return true;
      const [api] = await findApis([aud]);
      // Another API may have the identifier of a deleted one.
      if (api === undefined || !api.isActive || api.id !== rs || re === undefined || re < api.epoch) return false;
      const request = currentRequest();
      if (request !== undefined && api.clientId !== undefined) introspecting.set(request, api.clientId);
      return true;
    },
    isApiOf: ({ clientId }) => {
      const request = currentRequest();
      return request !== undefined && introspecting.get(request) === clientId;
    },
  };
}
