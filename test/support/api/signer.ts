import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { CryptoKey, JWK } from 'jose';

/** Signs access tokens like the authorization server, with its own key pair. */
export interface Signer {
  readonly publicJwk: JWK & { kid: string };
  readonly privateKey: CryptoKey;
  /** A token for the API of `baseUrl`; `claims` and `header` override the valid ones. */
  sign(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, string>>): Promise<string>;
}

export async function createSigner(baseUrl: string, kid = 'key-1'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
  return {
    publicJwk,
    privateKey,
    sign: async (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return await new SignJWT({
        iss: baseUrl,
        aud: `${baseUrl}/api/v2.0`,
        sub: 'client-0123456789',
        client_id: 'client-0123456789',
        scope: 'users posts email',
        jti: crypto.randomUUID(),
        iat: now,
        exp: now + 3600,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
        .sign(privateKey);
    },
  };
}
