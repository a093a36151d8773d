import type { KoaContextWithOIDC, AccessToken, RefreshToken, Session } from 'oidc-provider';

import { accessTokenTtlSeconds } from './resource-server.ts';
import type { EpochSnapshots } from './epoch-snapshots.ts';
import { nowSeconds } from '../now.ts';

const day = 86_400;

/** What the provider is told of a grant that goes on until somebody ends it. */
export const endlessSeconds = 36_500 * day;

/** Seconds; decisions D51, and of sessions the checklist UI1. */
const lifetimes = {
  code: 60,
  device: 600,
  interaction: 3600,
  refreshIdle: 30 * day,
  refreshAbsolute: 365 * day,
  sessionIdle: day,
  sessionAbsolute: 14 * day,
};

/** How long everything lives that the provider makes. */
export function createLifetimes(epochs: Pick<EpochSnapshots, 'recall'>) {
  return {
    AccessToken: (_ctx: KoaContextWithOIDC, token: AccessToken) => {
      const usual = token.resourceServer?.accessTokenTTL ?? accessTokenTtlSeconds;
      const endsAt = token.grantId === undefined ? undefined : epochs.recall(token.grantId).endsAt;
      if (endsAt === undefined) return usual;
      return Math.max(1, Math.min(usual, Math.floor(endsAt / 1000) - nowSeconds()));
    },
    ClientCredentials: accessTokenTtlSeconds,
    AuthorizationCode: lifetimes.code,
    DeviceCode: lifetimes.device,
    IdToken: accessTokenTtlSeconds,
    Interaction: lifetimes.interaction,
    Grant: endlessSeconds,
    RefreshToken: refreshTtl,
    Session: sessionTtl,
  };
}

/** Of a grant with an end the store cuts this short whenever the token is looked for. */
function refreshTtl(_ctx: KoaContextWithOIDC, token: RefreshToken): number {
  const issuedFirst = token.iiat ?? nowSeconds();
  return Math.max(1, Math.min(lifetimes.refreshIdle, issuedFirst + lifetimes.refreshAbsolute - nowSeconds()));
}

export function sessionTtl(_ctx: unknown, session: Session): number {
  const signedIn = session.loginTs ?? nowSeconds();
  return Math.max(1, Math.min(lifetimes.sessionIdle, signedIn + lifetimes.sessionAbsolute - nowSeconds()));
}
