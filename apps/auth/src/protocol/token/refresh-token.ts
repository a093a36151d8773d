import { createHmac } from 'node:crypto';

import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Secret } from '@linnet/service/config/secret';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import { Provider } from 'oidc-provider';
import type { KoaContextWithOIDC, RefreshToken } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import { extendArtifact } from '../storage/artifact-store.ts';
import { nowSeconds, sha256 } from '../storage/stored-payload.ts';
import { refreshSeconds } from './es256-signing-key.ts';

/**
 * Refresh tokens of applications that use DPoP (RFC 9449 §5). The provider binds those of public applications only.
 * Here every refresh token that was obtained with a proof is bound to its key, and the provider refuses it without a
 * proof of that key. Strict applications keep theirs: they do not rotate (FAPI 2.0 §5.3.2.1).
 */

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

/** Computes the successor of a rotated refresh token, which is always the same. */
export interface SuccessorOf {
  /** The possible successors, one per key of SECRET_KEYS; a new rotation uses the first. */
  candidates(token: string): readonly [string, ...string[]];
  /** Records for the current request which one the database chose. */
  settle(token: string, successor: string): void;
  /** The successor that was chosen in the current request. */
  settled(token: string): string;
}

/**
 * A rotated refresh token has exactly one successor, derived from its value: a client that lost the response gets the
 * same one again, and parallel requests cannot fork a token family (checklist RT3, RT4). After a change of SECRET_KEYS
 * it is still the one that was chosen at the first rotation.
 */
export function createSuccessorOf([first, ...others]: readonly [Secret, ...Secret[]]): SuccessorOf {
  const settled = new WeakMap<object, { readonly token: string; readonly successor: string }>();
  return {
    candidates: (token) => [derive(first, token), ...others.map((secret) => derive(secret, token))],
    settle: (token, successor) => {
      if (Provider.ctx !== undefined) settled.set(Provider.ctx, { token, successor });
    },
    settled: (token) => {
      const known = Provider.ctx === undefined ? undefined : settled.get(Provider.ctx);
      return known?.token === token ? known.successor : derive(first, token);
    },
  };
}

function derive(secret: Secret, token: string): string {
  return createHmac('sha256', secret.reveal()).update(`refresh token successor ${token}`).digest('base64url');
}

/** Makes the provider use the derived value when it rotates a refresh token. */
export function rotateToSuccessor(provider: Provider, successorOf: SuccessorOf): void {
  const { prototype } = provider.RefreshToken;
  const generate = Reflect.get(prototype, 'generateTokenId') as () => string; // the types leave it out
  Reflect.set(prototype, 'generateTokenId', function generateTokenId(this: unknown): string {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated === undefined ? Reflect.apply(generate, this, []) : successorOf.settled(rotated.jti);
  });
}
