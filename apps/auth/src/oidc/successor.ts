import { createHmac } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';
import { Provider } from 'oidc-provider';

/** The value of the refresh token that takes the place of `token`; always the same one. */
export type SuccessorOf = (token: string) => string;

/**
 * A rotated refresh token has exactly one successor, whoever computes it and however often: a client
 * that lost the answer gets it again, and parallel requests cannot fork a family (checklist RT3, RT4).
 */
export function createSuccessorOf(secret: Secret): SuccessorOf {
  return (token) =>
    createHmac('sha256', secret.reveal()).update(`refresh token successor ${token}`).digest('base64url');
}

/** Makes the provider take that value when it rotates. */
export function rotateToSuccessor(provider: Provider, successorOf: SuccessorOf): void {
  const { prototype } = provider.RefreshToken;
  const generate = Reflect.get(prototype, 'generateTokenId') as () => string; // the types leave it out
  Reflect.set(prototype, 'generateTokenId', function generateTokenId(this: unknown): string {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated === undefined ? Reflect.apply(generate, this, []) : successorOf(rotated.jti);
  });
}
