import { createHmac } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';
import { Provider } from 'oidc-provider';

/** The refresh token that takes the place of another; always the same one. */
export interface SuccessorOf {
  /** What it can be: one for each of SECRET_KEYS, the one that a new rotation takes first. */
  candidates(token: string): readonly [string, ...string[]];
  /** Tells within a request which of them it is. */
  settle(token: string, successor: string): void;
  /** Which of them was settled within this request. */
  settled(token: string): string;
}

/**
 * A rotated refresh token has exactly one successor, whoever computes it and however often: a client
 * that lost the answer gets it again, and parallel requests cannot fork a family (checklist RT3, RT4).
 * After a change of SECRET_KEYS it is still the one that was settled when the token was first used.
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

/** Makes the provider take that value when it rotates. */
export function rotateToSuccessor(provider: Provider, successorOf: SuccessorOf): void {
  const { prototype } = provider.RefreshToken;
  const generate = Reflect.get(prototype, 'generateTokenId') as () => string; // the types leave it out
  Reflect.set(prototype, 'generateTokenId', function generateTokenId(this: unknown): string {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated === undefined ? Reflect.apply(generate, this, []) : successorOf.settled(rotated.jti);
  });
}
