import { createHmac } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';
import { Provider } from 'oidc-provider';

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
