/**
 * The provider signs through jose and WebCrypto, which costs more CPU time than `node:crypto`: with ES256 two to three times as much.
 * Its keys are replaced by keys that sign themselves. RSA signatures take ten times as long, so they stay on the thread pool.
 */

import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { promisify } from 'node:util';

import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';
import { createEs256Signer } from '@linnet/keys/es256';
import { toPublicJwk } from '@linnet/keys/signing-key';
import type { PrivateJwk } from '@linnet/keys/signing-key';
import { ExternalSigningKey } from 'oidc-provider';
import type { AccessToken, Client, ClientCredentials, KoaContextWithOIDC, RefreshToken, Session } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import { nowSeconds } from '../storage/stored-payload.ts';
import type { EpochSnapshots } from './acting-claims.ts';
import { accessTokenTtlSeconds } from './resource-server.ts';

type Sign = ExternalSigningKey['sign'];

class SigningKey extends ExternalSigningKey {
  readonly #jwk: PrivateJwk;
  readonly #sign: Sign;

  constructor(jwk: PrivateJwk) {
    super();
    this.#jwk = jwk;
    this.#sign = jwk.alg === 'ES256' ? createEs256Signer(jwk) : createRs256Signer(jwk);
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

  override sign(data: Uint8Array) {
    return this.#sign(data);
  }
}

const signInThreadPool = promisify(sign);

function createRs256Signer(jwk: PrivateJwk): Sign {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return async (data) => await signInThreadPool('sha256', data, key);
}

/** A key of the provider's setting `jwks`. */
export function toProviderKey(jwk: PrivateJwk) {
  return new SigningKey(jwk);
}

const day = 86_400;

/** The lifetime that the provider gets for a grant without expiry. */
export const unlimitedSeconds = 36_500 * day;

/** Seconds; decisions D51, and of sessions the checklist UI1. */
const lifetimes = {
  code: 60,
  device: 600,
  interaction: 3600,
  refreshIdle: 30 * day,
  sessionIdle: day,
  sessionAbsolute: 14 * day,
};

/** The `ttl` settings of the provider, in seconds. */
export function createLifetimes(epochs: Pick<EpochSnapshots, 'get'>, bounds: TokenBounds) {
  return {
    AccessToken: (_ctx: KoaContextWithOIDC, token: AccessToken) => {
      const regular = token.resourceServer?.accessTokenTTL ?? accessTokenTtlSeconds;
      const endsAt = token.grantId === undefined ? undefined : epochs.get(token.grantId).endsAt;
      if (endsAt === undefined) return regular;
      return Math.max(1, Math.min(regular, Math.floor(endsAt / 1000) - nowSeconds()));
    },
    ClientCredentials: (_ctx: KoaContextWithOIDC, { resourceServer }: ClientCredentials) =>
      resourceServer?.accessTokenTTL ?? accessTokenTtlSeconds,
    AuthorizationCode: lifetimes.code,
    DeviceCode: lifetimes.device,
    IdToken: accessTokenTtlSeconds,
    Interaction: lifetimes.interaction,
    Grant: unlimitedSeconds,
    // If the grant expires earlier, the store shortens this whenever the token is loaded.
    RefreshToken: (_ctx: KoaContextWithOIDC, token: RefreshToken) => refreshSeconds(token.client, token, bounds),
    Session: sessionTtl,
  };
}

/** Seconds until a refresh token that is used now expires. */
export function refreshSeconds(
  client: Client | undefined,
  token: RefreshToken,
  { refreshTokenTotal }: TokenBounds,
): number {
  const issuedFirst = token.iiat ?? nowSeconds();
  const chosen = client === undefined ? null : registrationOf(client).protocol.refreshTokenLifetime;
  const idle = chosen ?? lifetimes.refreshIdle;
  return Math.max(1, Math.min(idle, issuedFirst + refreshTokenTotal - nowSeconds()));
}

export function sessionTtl(_ctx: unknown, session: Session): number {
  const signedIn = session.loginTs ?? nowSeconds();
  return Math.max(1, Math.min(lifetimes.sessionIdle, signedIn + lifetimes.sessionAbsolute - nowSeconds()));
}
