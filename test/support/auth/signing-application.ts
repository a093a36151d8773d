import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';

import type { RunningAuth } from './running-auth.ts';

/** A key that an application authenticates with. */
export interface SigningKey {
  readonly publicJwk: JWK;
  /**
   * The form fields of a client assertion (RFC 7523 §2.2). `claims` replace the default ones; undefined removes one.
   */
  assertion(
    auth: Pick<RunningAuth, 'baseUrl'>,
    clientId: string,
    claims?: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, string>>>;
}

export async function createSigningKey(alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' },
    assertion: async ({ baseUrl: aud }, clientId, claims = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const proper = { iss: clientId, sub: clientId, aud, jti: crypto.randomUUID(), iat: now, exp: now + 60 };
      const jwt = new SignJWT({ ...proper, ...claims }).setProtectedHeader({ alg, kid: alg });
      return {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await jwt.sign(privateKey),
      };
    },
  };
}

/** A local server with configurable responses that counts its requests. */
export interface KeyServer extends AsyncDisposable {
  readonly address: string;
  readonly asked: number;
}

export async function startKeyServer(answer: (response: ServerResponse) => void): Promise<KeyServer> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    address: `http://127.0.0.1:${String(port)}/jwks.json`,
    get asked() {
      return asked;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
