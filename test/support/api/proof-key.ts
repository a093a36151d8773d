import { hash } from 'node:crypto';

import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

/** A key to bind access tokens to (RFC 9449). */
export interface ProofKey {
  readonly thumbprint: string;
  /** The `DPoP` header of a request; `claims` override the valid ones. */
  prove(request: BoundRequest, claims?: Readonly<Record<string, unknown>>): Promise<string>;
}

interface BoundRequest {
  readonly method: string;
  readonly url: string;
  readonly token: string;
}

export async function createProofKey(): Promise<ProofKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    prove: async ({ method, url, token }, claims = {}) =>
      await new SignJWT({
        htm: method,
        htu: url,
        ath: hash('sha256', token, 'base64url'),
        jti: crypto.randomUUID(),
        iat: Math.floor(Date.now() / 1000),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .sign(privateKey),
  };
}
