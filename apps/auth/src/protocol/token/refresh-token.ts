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
 * Refresh tokens. Those of public applications that were obtained with a DPoP proof are bound to its key (RFC 9449 §5); the others
 * need the application's credentials. Strict applications keep theirs: they do not rotate (FAPI 2.0 §5.3.2.1).
 */

/** Binds the refresh token of a public application when it is saved, also the successor of one that was obtained without a proof. */
export function bindRefreshTokens(provider: Provider): void {
  const { prototype } = provider.RefreshToken;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const original = prototype.save;
  prototype.save = async function save(this: RefreshToken, ...given) {
    if (this.client?.clientAuthMethod === 'none') this.jkt ??= await thumbprintOfProof();
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
 * instead, as a new one would be, unless it was replaced before the application became strict.
 */
export function createRotationRule(db: Queryable, bounds: TokenBounds): (ctx: KoaContextWithOIDC) => Promise<boolean> {
  return async ({ oidc }) => {
    const { client, entities } = oidc;
    const { RefreshToken: token } = entities;
    if (client === undefined || token === undefined || !registrationOf(client).protocol.strict) return true;
    const expiresAt = nowSeconds() + refreshSeconds(client, token, bounds);
    return !(await extendArtifact(db, { kind: 'RefreshToken', idSha256: sha256(token.jti), expiresAt }));
  };
}

/** Computes the refresh token that follows from a used code or refresh token, which is always the same. */
export interface SuccessorOf {
  /** The possible successors, one per key of SECRET_KEYS; the first use takes the first. `salt`: of one that replaced another. */
  candidates(from: string, salt?: string): readonly [string, ...string[]];
  /** What the successor of a refresh token derives from. That of a public application is bound to the key of the request. */
  ofRefreshToken(token: string): Promise<string>;
  /**
   * What the successor of the current request's code derives from, so that only an equal request repeats it. Undefined if the code can
   * be used once: the application is public or strict.
   */
  ofCode(code: string): Promise<string | undefined>;
  /** Records for the current request which one the database chose. */
  settle(used: string, successor: string): void;
  /** The successor that was chosen in the current request. */
  settled(used: string): string | undefined;
}

/**
 * A used code or refresh token has exactly one successor, derived from its value: a client that lost the response gets the
 * same one again, and parallel requests cannot fork a chain (checklist RT3, RT4). After a change of SECRET_KEYS it is still
 * the one that was chosen at the first use. A later repetition gets another one, with a salt, in place of the first.
 */
export function createSuccessorOf([first, ...others]: readonly [Secret, ...Secret[]]): SuccessorOf {
  const settled = new WeakMap<object, { readonly used: string; readonly successor: string }>();
  return {
    candidates: (from, salt) => [derive(first, from, salt), ...others.map((secret) => derive(secret, from, salt))],
    ofRefreshToken: async (token) => {
      if (Provider.ctx?.oidc.client?.clientAuthMethod !== 'none') return token;
      return JSON.stringify([token, (await thumbprintOfProof()) ?? null]);
    },
    ofCode: async (code) => {
      const { client, params } = Provider.ctx?.oidc ?? {};
      if (client === undefined || client.clientAuthMethod === 'none') return undefined;
      if (registrationOf(client).protocol.strict) return undefined;
      return JSON.stringify([code, params?.['resource'] ?? null, (await thumbprintOfProof()) ?? null]);
    },
    settle: (used, successor) => {
      if (Provider.ctx !== undefined) settled.set(Provider.ctx, { used, successor });
    },
    settled: (used) => {
      const known = Provider.ctx === undefined ? undefined : settled.get(Provider.ctx);
      return known?.used === used ? known.successor : undefined;
    },
  };
}

function derive(secret: Secret, from: string, salt = ''): string {
  return createHmac('sha256', secret.reveal()).update(`refresh token successor ${from}${salt}`).digest('base64url');
}

/** Makes the provider use the derived value for the refresh token that follows. */
export function rotateToSuccessor(provider: Provider, successorOf: SuccessorOf): void {
  const { prototype } = provider.RefreshToken;
  const generate = Reflect.get(prototype, 'generateTokenId') as () => string; // the types leave it out
  Reflect.set(prototype, 'generateTokenId', function generateTokenId(this: unknown): string {
    const { RotatedRefreshToken: rotated, AuthorizationCode: code } = Provider.ctx?.oidc.entities ?? {};
    const used = (rotated ?? code)?.jti;
    return (used === undefined ? undefined : successorOf.settled(used)) ?? Reflect.apply(generate, this, []);
  });
}
