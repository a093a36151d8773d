/**
 * The provider signs through jose and WebCrypto, which costs two to three times as much CPU time as `node:crypto` does
 * in the same thread. Its ES256 keys are replaced by keys that sign themselves. RSA signatures take ten times as long,
 * so they stay on the thread pool of WebCrypto.
 */
import { createPublicKey } from 'node:crypto';

import { createEs256Signer } from '@linnet/keys/es256';
import type { SignEs256 } from '@linnet/keys/es256';
import { toPublicJwk } from '@linnet/keys/signing-key';
import type { PrivateEs256Jwk, PrivateJwk } from '@linnet/keys/signing-key';
import { ExternalSigningKey } from 'oidc-provider';

class Es256SigningKey extends ExternalSigningKey {
  readonly #jwk: PrivateEs256Jwk;
  readonly #sign: SignEs256;

  constructor(jwk: PrivateEs256Jwk) {
    super();
    this.#jwk = jwk;
    this.#sign = createEs256Signer(jwk);
  }

  override get kid(): string {
    return this.#jwk.kid;
  }

  override get alg(): string {
    return this.#jwk.alg;
  }

  override keyObject() {
    return createPublicKey({ key: toPublicJwk(this.#jwk), format: 'jwk' });
  }

  override sign(data: Uint8Array): Uint8Array {
    return this.#sign(data);
  }
}

/** A key of the provider's setting `jwks`. */
export function toProviderKey(jwk: PrivateJwk) {
  return jwk.alg === 'ES256' ? new Es256SigningKey(jwk) : jwk;
}
