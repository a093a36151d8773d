/** Signs the token that an application gets for itself, and makes the response with it, as the provider would. */
import { randomFillSync } from 'node:crypto';

import { createEs256Signer } from '@linnet/keys/es256';
import type { KeyRing } from '@linnet/keys/key-ring';

import type { Registration } from '../client/client-store.ts';
import { nowSeconds } from '../now.ts';
import { claimsOfApplication } from './acting-claims.ts';
import { lifetimeOf } from './resource-server.ts';

export interface TokenSignerOptions {
  readonly baseUrl: string;
  /** `aud` of the tokens. */
  readonly audience: string;
  readonly keyRing: Pick<KeyRing, 'current'>;
}

export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string | undefined;
  readonly token_type: 'Bearer';
  readonly app_id: string;
}

/** The members of the token and of the response are in the provider's order. */
export function createTokenSigner({ baseUrl: iss, audience: aud, keyRing }: TokenSignerOptions) {
  const { ES256: signingKey } = keyRing.current;
  const sign = createEs256Signer(signingKey);
  const generateId = createIdGenerator();
  const header = toBase64url({ alg: signingKey.alg, typ: 'at+jwt', kid: signingKey.kid });
  return (client: Registration, scope: string | undefined): TokenResponse => {
    const { clientId: client_id } = client;
    const expiresIn = lifetimeOf(client);
    const iat = nowSeconds();
    const ids = { jti: generateId(), sub: client_id };
    const claims = { ...claimsOfApplication(client), ...ids, iat, exp: iat + expiresIn, scope, client_id, iss, aud };
    const signed = `${header}.${toBase64url(claims)}`;
    const access_token = `${signed}.${sign(Buffer.from(signed)).toString('base64url')}`;
    return { access_token, expires_in: expiresIn, scope, token_type: 'Bearer', app_id: client_id };
  };
}

function toBase64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** 256 bits, as the provider's ids of tokens. */
const idBytes = 32;
const idsPerFill = 128;

/** Random bytes are fetched for many ids at a time, because each fetch costs microseconds. */
function createIdGenerator(): () => string {
  const bytes = Buffer.alloc(idBytes * idsPerFill);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    used += idBytes;
    return bytes.toString('base64url', used - idBytes, used);
  };
}
