import { signingAlgorithms } from '@linnet/keys/signing-key';
import { decodeProtectedHeader } from 'jose';
import type { Client, Provider } from 'oidc-provider';

/**
 * Accepts an `id_token_hint` of every algorithm that we sign with. The provider accepts only the algorithm that the
 * application has now, so a change of it would make all earlier ID tokens useless.
 */
export function acceptHintsOfEveryAlgorithm({ IdToken }: Provider): void {
  const original = IdToken.validate.bind(IdToken);
  IdToken.validate = async (jwt, client) => {
    const alg = findAlgorithm(jwt);
    return await original(jwt, alg === undefined ? client : withAlgorithm(client, alg));
  };
}

function withAlgorithm(client: Client, alg: string): Client {
  return new Proxy(client, {
    get: (target, name): unknown => (name === 'idTokenSignedResponseAlg' ? alg : Reflect.get(target, name)),
  });
}

/** Undefined if the provider must refuse the token. */
function findAlgorithm(jwt: string): string | undefined {
  try {
    const { alg } = decodeProtectedHeader(jwt);
    return signingAlgorithms.find((known) => known === alg);
  } catch {
    return undefined; // not a JWT
  }
}
