/**
 * Access tokens for registered APIs (RFC 8707) at introspection and revocation. Such a token is active only while its
 * API is, and only two applications may introspect it: the one it was issued to, and the one that the API's owner chose.
 */
import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import { Provider } from 'oidc-provider';
import type { Client } from 'oidc-provider';

import type { OwnAccessToken } from './own-access-token.ts';

/** The registered APIs with these identifiers. */
export type FindApis = (identifiers: readonly string[]) => Promise<readonly RegisteredApi[]>;

export interface OutsideTokens {
  /** Whether a token is for our own API, or for a registered API that has not changed since in a way that revokes it. */
  isAccepted(claims: OwnAccessToken): Promise<boolean>;
  /** Whether the client may introspect the token of the current request for the API it is meant for. */
  isApiOf(client: Client): boolean;
}

interface OutsideTokensOptions {
  /** That of our own API. */
  readonly audience: string;
  readonly findApis: FindApis;
}

/** `currentRequest` returns an object that identifies the current request. */
export function createOutsideTokens(
  { audience, findApis }: OutsideTokensOptions,
  currentRequest: () => object | undefined = () => Provider.ctx,
): OutsideTokens {
  const introspecting = new WeakMap<object, string>();
  return {
    isAccepted: async ({ aud, rs, re }) => {
      if (aud === audience) return true;
      const [api] = await findApis([aud]);
      // Another API may have the identifier of a deleted one.
      if (api === undefined || !api.isActive || api.id !== rs || re === undefined || re < api.epoch) return false;
      const request = currentRequest();
      if (request !== undefined && api.clientId !== undefined) introspecting.set(request, api.clientId);
      return true;
    },
    isApiOf: ({ clientId }) => {
      const request = currentRequest();
      return request !== undefined && introspecting.get(request) === clientId;
    },
  };
}
