/**
 * Refresh tokens of applications that use DPoP (RFC 9449 §5). The provider binds those of public applications only.
 * Here every refresh token that was obtained with a proof is bound to its key, and the provider refuses it without a
 * proof of that key. Strict applications keep theirs: they do not rotate (FAPI 2.0 §5.3.2.1).
 */
import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';
import type { Queryable } from '@linnet/db/database';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import { Provider } from 'oidc-provider';
import type { KoaContextWithOIDC, RefreshToken } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import { nowSeconds } from '../now.ts';
import { extendArtifact } from '../storage/artifact-store.ts';
import { sha256 } from '../storage/stored-id.ts';
import { refreshSeconds } from './lifetimes.ts';

/** Binds each refresh token when it is saved, also the successor of one that was obtained without a proof. */
export function bindRefreshTokens(provider: Provider): void {
  const { prototype } = provider.RefreshToken;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const original = prototype.save;
  prototype.save = async function save(this: RefreshToken, ...given) {
    this.jkt ??= await thumbprintOfProof();
    return await Reflect.apply(original, this, given);
  };
}

/** Of the key of the current request's proof, which the provider has verified before it saves tokens. */
async function thumbprintOfProof(): Promise<string | undefined> {
  const proof = Provider.ctx?.get('dpop') ?? '';
  if (proof === '') return undefined;
  const { jwk } = decodeProtectedHeader(proof);
  return jwk === undefined ? undefined : await calculateJwkThumbprint(jwk);
}

/**
 * Whether the refresh token of this request is replaced by a new one. Those of strict applications are valid for longer
 * instead, as a new one would be. One that is not bound is replaced by one that is, and so is one that was replaced
 * before the application became strict.
 */
export function createRotationRule(db: Queryable, bounds: TokenBounds): (ctx: KoaContextWithOIDC) => Promise<boolean> {
  return async ({ oidc }) => {
    const { client, entities } = oidc;
    const { RefreshToken: token } = entities;
    if (client === undefined || token?.jkt === undefined || !registrationOf(client).protocol.strict) return true;
    const expiresAt = nowSeconds() + refreshSeconds(client, token, bounds);
    return !(await extendArtifact(db, { kind: 'RefreshToken', idSha256: sha256(token.jti), expiresAt }));
  };
}
