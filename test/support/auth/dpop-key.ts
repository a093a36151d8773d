import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

import type { RunningAuth } from './running-auth.ts';

/** A key to bind tokens to (RFC 9449). */
export interface DpopKey {
  readonly thumbprint: string;
  /** A proof for the token endpoint; `claims` replace the default ones, undefined removes one. */
  prove(claims?: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function createDpopKey({ baseUrl }: Pick<RunningAuth, 'baseUrl'>): Promise<DpopKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    prove: async (claims = {}) => {
      const htu = `${baseUrl}/oauth/token`;
      const validClaims = { htm: 'POST', htu, jti: crypto.randomUUID(), iat: Math.floor(Date.now() / 1000) };
      return await new SignJWT({ ...validClaims, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .sign(privateKey);
    },
  };
}
