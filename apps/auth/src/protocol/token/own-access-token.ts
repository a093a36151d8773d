import { revocableClaims } from '@linnet/revocations/revocable-token';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';

import type { KeyRing } from '@linnet/keys/key-ring';
import { accessTokenAlgorithm, toPublicJwk } from '@linnet/keys/signing-key';

const claimsSchema = revocableClaims.extend({
  sub: z.string(),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
  scope: z.string().optional(),
  /** The key that the token is bound to (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

/** The claims of our access tokens. */
export type OwnAccessToken = Readonly<z.infer<typeof claimsSchema>>;

/**
 * Verifies an access token that we issued. Undefined if it is invalid, expired or revoked.
 * @throws DatabaseUnavailable if it is unknown whether it was revoked.
 */
export type ReadAccessToken = (token: string) => Promise<OwnAccessToken | undefined>;

interface ReaderOptions {
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
  readonly feed: Pick<RevocationFeed, 'isRevoked'>;
}

const clockToleranceSeconds = 5;

/** For our endpoints that receive access tokens: userinfo, introspection and revocation. */
export function createAccessTokenReader({ baseUrl, keyRing, feed }: ReaderOptions): ReadAccessToken {
  const keys = createLocalJWKSet({ keys: keyRing.published.map(toPublicJwk) });
  return async (token) => {
    const verified = await jwtVerify(token, keys, {
      issuer: baseUrl,
      audience: `${baseUrl}/api/v2.0`,
      typ: 'at+jwt',
      algorithms: [accessTokenAlgorithm],
      clockTolerance: clockToleranceSeconds,
    }).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    });
    const claims = claimsSchema.safeParse(verified?.payload).data;
    if (claims === undefined) return undefined;
    const isRevoked = await feed.isRevoked({ ...claims, kid: String(verified?.protectedHeader.kid) });
    return isRevoked ? undefined : claims;
  };
}
