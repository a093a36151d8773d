import type { Configuration } from 'oidc-provider';

import type { KeyRing } from '../keys/key-ring.ts';
import { signingAlgorithm } from '../keys/signing-key.ts';
import { createAdapter } from './adapter.ts';
import type { FindClient } from './client-cache.ts';
import { registrationProperty } from './client.ts';
import { accessTokenTtlSeconds, actingClaims, createApiResource } from './resource-server.ts';
import { paths } from './routes.ts';

export interface ConfigurationOptions {
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
  readonly findClient: FindClient;
}

/** What of oidc-provider is on, and how it is set. Whatever prints a notice by default is replaced. */
export function createConfiguration({ baseUrl, keyRing, findClient }: ConfigurationOptions): Configuration {
  const { defaultResource, getResourceServerInfo } = createApiResource(baseUrl, keyRing.current.kid);
  return {
    adapter: createAdapter(findClient),
    jwks: { keys: [keyRing.current, keyRing.next] },
    routes: { token: paths.token, jwks: paths.jwks },
    responseTypes: [],
    // Scopes of the API are registered per application; these are the provider's own.
    scopes: ['openid'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm, grant_types: [], response_types: [] },
    extraClientMetadata: { properties: [registrationProperty] },
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    ttl: { ClientCredentials: accessTokenTtlSeconds },
    extraTokenClaims: actingClaims,
    // A page of our own origin, such as the API reference, may ask for a token; no other page has a secret to keep.
    clientBasedCORS: (_ctx, origin) => origin === baseUrl,
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: { enabled: true, defaultResource, getResourceServerInfo },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
  };
}
