import type { revocableClaims } from '@linnet/revocations/revocable-token';
import { Provider } from 'oidc-provider';
import type { AccessToken, ClientCredentials, KoaContextWithOIDC } from 'oidc-provider';
import type { z } from 'zod';

import type { Registration } from '../client/client-store.ts';
import { registrationOf } from '../client/client.ts';
import { parseChain } from '../storage/chain-store.ts';
import type { ApiRequests } from './resource-server.ts';
import type { TokenStatus, createTokenStatus } from './status-list.ts';

/** Our private claims; `packages/revocations/src/revocable-token.ts` documents them. */
type ActingClaims = Omit<z.input<typeof revocableClaims>, 'jti' | 'client_id'> & {
  readonly rs?: number;
  readonly re?: number;
  readonly status?: TokenStatus;
};

/** Adds the grant and the account that a token acts for, the epochs that can revoke it, and for a registered API its status. */
export function createActingClaims(
  epochs: EpochSnapshots,
  apiRequests: Pick<ApiRequests, 'find'>,
  findStatus: ReturnType<typeof createTokenStatus>,
) {
  const findClaims = createFindClaims(epochs, apiRequests);
  return async (ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials): Promise<ActingClaims | undefined> => {
    const claims = findClaims(ctx, token);
    if (claims?.rs === undefined || claims.re === undefined || token.clientId === undefined) return claims;
    const { rs, re, ce = 0 } = claims;
    const status = await findStatus({ ...claims, rs, re, ce, jti: token.jti, client_id: token.clientId });
    return { ...claims, status };
  };
}

function createFindClaims(epochs: EpochSnapshots, apiRequests: Pick<ApiRequests, 'find'>) {
  return (ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials): ActingClaims | undefined => {
    if (token.client === undefined) return undefined;
    const registration = registrationOf(token.client);
    const { epoch: ce } = registration;
    const api = apiRequests.find(ctx, token.resourceServer?.identifier());
    const outside = api === undefined ? sandboxOf(registration) : { rs: api.id, re: api.epoch };
    if (token.kind === 'AccessToken') {
      if (token.grantId === undefined) return { ce, ...outside };
      const { grant: ge, account: ae, testOwner } = epochs.get(token.grantId);
      // The application may be remembered as it was before its developer had test people.
      const sandbox = testOwner === undefined || api !== undefined ? {} : { sb: testOwner };
      const { grantId: gid, chainId: ch } = parseChain(token.grantId);
      return { ce, gid, ge, ch, acct: Number(token.accountId), ae, ...outside, ...sandbox };
    }
    // Acting as the owner is for our own API.
    return api === undefined ? claimsOfApplication(registration) : { ce, ...outside };
  };
}

/** Those of a token that an application gets for itself. */
export function claimsOfApplication(registration: Registration): ActingClaims {
  const { epoch: ce, actingGrant } = registration;
  if (actingGrant === null) return { ce, ...sandboxOf(registration) };
  const { id: gid, epoch: ge, accountId: acct, accountEpoch: ae } = actingGrant;
  return { ce, gid, ge, acct, ae, ...sandboxOf(registration) };
}

function sandboxOf({ ownerId, hasTestPeople }: Registration): Pick<ActingClaims, 'sb'> {
  return hasTestPeople && ownerId !== null ? { sb: ownerId } : {};
}

/**
 * The epochs that a token is issued with. The statement that finds the grant reads them, so that every change between
 * that moment and the signature revokes the token. Read later, they could cover scopes that were just removed.
 */

/** The epochs of a grant and of its account. */
export interface GrantEpochs {
  readonly grant: number;
  readonly account: number;
  /** The developer whose test person the account is. */
  readonly testOwner?: number | undefined;
  /** When the grant expires, in milliseconds of this process's clock; its tokens expire no later. */
  readonly endsAt: number | undefined;
}

export interface EpochSnapshots {
  /** Keeps the epochs of a grant for the current request. Later calls for the same grant change nothing. */
  remember(grantId: string, epochs: GrantEpochs): void;
  /** @throws Error if the current request has not loaded the grant. */
  get(grantId: string): GrantEpochs;
}

/** `currentRequest` returns an object that identifies the current request. */
export function createEpochSnapshots(currentRequest: () => object | undefined = () => Provider.ctx): EpochSnapshots {
  const found = new WeakMap<object, Map<string, GrantEpochs>>();
  return {
    remember: (grantId, epochs) => {
      const request = currentRequest();
      if (request === undefined) return;
      const ofRequest = found.get(request) ?? new Map<string, GrantEpochs>();
      found.set(request, ofRequest);
      if (!ofRequest.has(grantId)) ofRequest.set(grantId, epochs);
    },
    get: (grantId) => {
      const request = currentRequest();
      const epochs = request === undefined ? undefined : found.get(request)?.get(grantId);
      if (epochs === undefined) throw new Error('the grant of the token was not loaded in this request');
      return epochs;
    },
  };
}
