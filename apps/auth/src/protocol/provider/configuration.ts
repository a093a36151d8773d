import { dpopAlgorithms, findUnsignedFault } from '@linnet/service/http/dpop';
import type { Secret } from '@linnet/service/config/secret';
import { errors } from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';

import type { KeyRing } from '@linnet/keys/key-ring';
import { signingAlgorithms } from '@linnet/keys/signing-key';
import { assertClaims, claimsOfScopes, contextClasses, identityScopes } from '../claims/claims.ts';
import type { FindSubject } from '../claims/claims.ts';
import { registrationOf, registrationProperty } from '../client/client.ts';
import { assertionToleranceSeconds, assertionAlgorithms } from '../client/client-assertion.ts';
import type { FindClient } from '../client/client-cache.ts';
import { omittedParameter } from '../client/omitted-redirect-uri.ts';
import { createKeyFetch } from '../client/document-fetch.ts';
import type { RememberedGrant } from '../grant/consent-grant.ts';
import { createCookies } from '../session/session.ts';
import { internalNonceParameter, restoreNonce } from '../authorize/authorization-endpoint.ts';
import { createInteractionPolicy } from '../authorize/prompts.ts';
import type { createRenderers } from '../failures/provider-pages.ts';
import { agentParameter } from '../token/resource-server.ts';
import type { ApiResource } from '../token/resource-server.ts';
import { paths } from '../request/routes.ts';
import { toProviderKey } from '../token/es256-signing-key.ts';
import type { OutsideTokens } from '../token/own-access-token.ts';
import { createTokenManagementFeatures } from '../token/token-management.ts';

export interface ConfigurationOptions {
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
  readonly secretKeys: readonly Secret[];
  readonly adapter: NonNullable<Configuration['adapter']>;
  readonly findClient: FindClient;
  readonly findSubject: FindSubject;
  readonly rememberedGrant: RememberedGrant;
  readonly ownerOnlyRedirectUri: string;
  readonly api: ApiResource;
  readonly outsideTokens: OutsideTokens;
  readonly actingClaims: NonNullable<Configuration['extraTokenClaims']>;
  readonly rotateRefreshToken: NonNullable<Configuration['rotateRefreshToken']>;
  /** Lifetimes in seconds. */
  readonly ttl: NonNullable<Configuration['ttl']>;
  readonly renderers: ReturnType<typeof createRenderers>;
  readonly assertionAccepted: NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;
}

const algorithms = {
  idTokenSigningAlgValues: [...signingAlgorithms],
  clientAuthSigningAlgValues: [...assertionAlgorithms],
  dPoPSigningAlgValues: [...dpopAlgorithms],
} satisfies Configuration['enabledJWA'];

/** The settings of oidc-provider. Every default that prints a notice is replaced. */
export function createConfiguration(options: ConfigurationOptions): Configuration {
  const { baseUrl, keyRing, api, renderers } = options;
  return {
    adapter: options.adapter,
    jwks: { keys: keyRing.published.map(toProviderKey) },
    routes: {
      authorization: paths.authorization,
      token: paths.token,
      pushed_authorization_request: paths.pushedRequest,
      device_authorization: paths.deviceAuthorization,
      code_verification: paths.device,
      jwks: paths.jwks,
      revocation: paths.revocation,
      introspection: paths.introspection,
    },
    cookies: createCookies(baseUrl, options.secretKeys),
    responseTypes: ['code', 'none'],
    // API scopes are registered per application; these belong to the provider.
    scopes: [...identityScopes],
    claims: Object.fromEntries(Object.entries(claimsOfScopes).map(([scope, names]) => [scope, [...names]])),
    acrValues: [...contextClasses],
    conformIdTokenClaims: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    assertJwtClientAuthClaimsAndHeader: options.assertionAccepted,
    clockTolerance: assertionToleranceSeconds,
    fetch: createKeyFetch({ baseUrl }),
    fetchResponseBodyLimits: { jwks_uri: 65_536 },
    clientDefaults: { grant_types: [], response_types: [] },
    extraClientMetadata: { properties: [registrationProperty] },
    extraParams: { [internalNonceParameter]: restoreNonce, [omittedParameter]: null, [agentParameter]: null },
    enabledJWA: algorithms,
    ttl: options.ttl,
    // Not for OpenID Connect requests; see omitted-redirect-uri.ts.
    allowOmittingSingleRegisteredRedirectUri: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: options.rotateRefreshToken,
    extraTokenClaims: options.actingClaims,
    findAccount: async (_ctx, sub) => await options.findSubject(sub),
    loadExistingGrant: options.rememberedGrant,
    interactions: createInteractionSettings(options),
    pkce: { required: (_ctx, client) => registrationOf(client).protocol.requirePkce },
    // Pages of our own origin may request tokens, and public applications from the origins of their redirect URIs.
    clientBasedCORS: (_ctx, origin, client) =>
      origin === baseUrl ||
      (client.clientAuthMethod === 'none' &&
        (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin)),
    renderError: renderers.renderError,
    features: createFeatures(api, options.outsideTokens),
  };
}

function createInteractionSettings({
  ownerOnlyRedirectUri,
  api,
}: Pick<ConfigurationOptions, 'ownerOnlyRedirectUri' | 'api'>) {
  return {
    policy: createInteractionPolicy(ownerOnlyRedirectUri, api.audience),
    url: (_ctx: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}`,
  };
}

function createFeatures(api: ApiResource, outsideTokens: OutsideTokens): NonNullable<Configuration['features']> {
  return {
    clientCredentials: { enabled: true },
    // Experimental in the provider, whose version is pinned.
    externalSigningSupport: { enabled: true, ack: 'experimental-01' },
    ...createTokenManagementFeatures(outsideTokens),
    resourceIndicators: {
      enabled: true,
      defaultResource: api.defaultResource,
      getResourceServerInfo: api.getResourceServerInfo,
      useGrantedResource: () => true,
    },
    rpInitiatedLogout: { enabled: false },
    deviceFlow: {
      enabled: true,
      charset: 'base-20',
      mask: '****-****',
      deviceInfo: () => ({}),
      // Our own page serves the person's part at the same path (`device.ts`).
      userCodeInputSource: unreachable,
      userCodeConfirmSource: unreachable,
      successSource: unreachable,
    },
    devInteractions: { enabled: false },
    dPoP: { enabled: true, requireNonce: requireTimelyProof },
    pushedAuthorizationRequests: { enabled: true },
    claimsParameter: { enabled: true, assertClaimsParameter: assertClaims },
    // Our own route serves it (`userinfo/userinfo-route.ts`); the provider refuses `claims.userinfo` without it.
    userinfo: { enabled: true },
  };
}

/** The provider, which asks first whether a nonce is needed, accepts older proofs, and a `jti` of any length. */
function requireTimelyProof(ctx: KoaContextWithOIDC): false {
  const { method, oidc } = ctx;
  const fault = findUnsignedFault({ proof: ctx.get('dpop'), method, url: oidc.urlFor(oidc.route) });
  if (fault !== undefined) throw new errors.InvalidDpopProof(fault);
  return false;
}

function unreachable(): never {
  throw new Error('the device pages of the provider are not used');
}
