import type { revocableClaims } from '@linnet/revocations/revocable-token';
import type { AccessToken, ClientCredentials, KoaContextWithOIDC } from 'oidc-provider';
import type { z } from 'zod';

import { registrationOf } from '../client/client.ts';
import type { Registration } from '../client/client-store.ts';
import type { EpochSnapshots } from './epoch-snapshots.ts';
import type { ApiRequests } from './requested-apis.ts';

/** Our private claims; `packages/revocations/src/revocable-token.ts` documents them. */
type ActingClaims = Omit<z.input<typeof revocableClaims>, 'jti' | 'client_id'> & {
  readonly rs?: number;
  readonly re?: number;
};

/** Adds the grant and the account that a token acts for, and the epochs that can revoke it. */
export function createActingClaims(epochs: EpochSnapshots, apiRequests: Pick<ApiRequests, 'find'>) {
  return (ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials): ActingClaims | undefined => {
    if (token.client === undefined) return undefined;
    const registration = registrationOf(token.client);
    const { epoch: ce } = registration;
    const api = apiRequests.find(ctx, token.resourceServer?.identifier());
    const outside = api === undefined ? {} : { rs: api.id, re: api.epoch };
    if (token.kind === 'AccessToken') {
      if (token.grantId === undefined) return { ce, ...outside };
      const { grant: ge, account: ae } = epochs.get(token.grantId);
      return { ce, gid: token.grantId, ge, acct: Number(token.accountId), ae, ...outside };
    }
    // Acting as the owner is for our own API.
    return api === undefined ? claimsOfApplication(registration) : { ce, ...outside };
  };
}

/** Those of a token that an application gets for itself. */
export function claimsOfApplication({ epoch: ce, actingGrant }: Registration): ActingClaims {
  if (actingGrant === null) return { ce };
  const { id: gid, epoch: ge, accountId: acct, accountEpoch: ae } = actingGrant;
  return { ce, gid, ge, acct, ae };
}
