/** Creates the oidc-provider instance for one key ring and applies every override of it. */
import type { Db } from '@linnet/db/database';
import type { KeyRing } from '@linnet/keys/key-ring';
import type { TokenBounds } from '@linnet/applications/token-lifetimes';
import type { Secret } from '@linnet/service/secret';
import type { Provider } from 'oidc-provider';

import { announceGrantedScope } from './authorize/authorization-endpoint.ts';
import { limitFormPost, replaceFormPost } from './authorize/form-post.ts';
import { issueImplicitTokens } from './authorize/implicit-token.ts';
import { allowNonceWithoutOpenid } from './authorize/nonce.ts';
import { requireRedirectUriForOpenid } from './authorize/omitted-redirect-uri.ts';
import { allowStateInRedirectUri } from './authorize/redirect-uri.ts';
import { compareSecretsByHash } from './client/client.ts';
import type { SecretComparison } from './client/client.ts';
import { checkAssertions, createAssertionListener, rejectReplays } from './client/client-assertion.ts';
import { nameClientOfEmptySecret } from './client/empty-secret.ts';
import type { ClientCache } from './client/client-cache.ts';
import { createFindSubject } from './claims/person-claims.ts';
import { createConfiguration } from './configuration.ts';
import { createRememberedGrant } from './grants/consent-grant.ts';
import type { FindGrantId } from './grants/consent-grant.ts';
import { admitPending } from './limits/pending.ts';
import type { RequestLimits } from './limits/request-limits.ts';
import { addSessionIds } from './logout/session-id-claim.ts';
import { interceptParameters, refuseUnsuitableParameters } from './parameters.ts';
import { createRenderers } from './provider-pages.ts';
import type { ProviderPages } from './provider-pages.ts';
import { currentOrigin } from './session/request-origin.ts';
import { revokeDestroyedSessions } from './session/session.ts';
import { createAdapter } from './storage/adapter.ts';
import { createClaimOnce } from './storage/claim-once.ts';
import { bindRefreshTokens, createRotationRule } from './token/bound-refresh-token.ts';
import { ignoreOfflineAccess } from './token/offline-access.ts';
import { createEpochSnapshots } from './token/epoch-snapshots.ts';
import { createLifetimes } from './token/lifetimes.ts';
import { acceptHintsOfEveryAlgorithm } from './token/id-token-hint.ts';
import type { ReadAccessToken } from './token/own-access-token.ts';
import { createActingClaims } from './token/resource-server.ts';
import type { ApiResource } from './token/resource-server.ts';
import { createSuccessorOf, rotateToSuccessor } from './token/successor.ts';
import { disguiseAccessToken } from './token/token-management.ts';

interface ProviderOptions {
  /** The issuer. */
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
  readonly secretKeys: readonly [Secret, ...Secret[]];
  readonly db: Db;
  readonly api: ApiResource;
  readonly clients: Pick<ClientCache, 'find' | 'reload'>;
  readonly findGrantId: FindGrantId;
  /** Without a query. */
  readonly ownerOnlyRedirectUri: string;
  readonly readAccessToken: ReadAccessToken;
  readonly secretUsed: SecretComparison['secretUsed'];
  readonly pages: ProviderPages;
  readonly limits: RequestLimits;
  /** The longest lifetimes of tokens. */
  readonly tokenBounds: TokenBounds;
}

const parameterSteps = [refuseUnsuitableParameters, nameClientOfEmptySecret, disguiseAccessToken, ignoreOfflineAccess];

export function createProvider(options: ProviderOptions): Provider {
  const { baseUrl, keyRing, secretKeys, db, api, clients, findGrantId, readAccessToken, secretUsed, limits } = options;
  const epochs = createEpochSnapshots();
  const successorOf = createSuccessorOf(secretKeys);
  const adapter = createAdapter({
    db,
    findClient: clients.find,
    successorOf,
    requestOrigin: currentOrigin,
    epochs,
    readAccessToken,
    admitPending: admitPending(limits),
  });
  const provider = new (replaceFormPost(options.pages.showResponse))(
    baseUrl,
    createConfiguration({
      baseUrl,
      keyRing,
      secretKeys,
      api,
      adapter,
      findClient: clients.find,
      actingClaims: createActingClaims(epochs),
      findSubject: createFindSubject(db, baseUrl),
      rememberedGrant: createRememberedGrant(findGrantId),
      ownerOnlyRedirectUri: options.ownerOnlyRedirectUri,
      rotateRefreshToken: createRotationRule(db, options.tokenBounds),
      ttl: createLifetimes(epochs, options.tokenBounds),
      renderers: createRenderers(options.pages),
      assertionAccepted: createAssertionListener(limits),
    }),
  );
  compareSecretsByHash(provider, { reload: clients.reload, secretUsed, limits });
  interceptParameters(provider, parameterSteps);
  pinUrls(provider);
  allowNonceWithoutOpenid(provider);
  allowStateInRedirectUri(provider);
  issueImplicitTokens(provider, api.audience);
  requireRedirectUriForOpenid(provider);
  limitFormPost(provider);
  rotateToSuccessor(provider, successorOf);
  bindRefreshTokens(provider);
  revokeDestroyedSessions(provider, db);
  checkAssertions(provider);
  rejectReplays(provider, createClaimOnce(db));
  announceGrantedScope(provider);
  addSessionIds(provider);
  acceptHintsOfEveryAlgorithm(provider);
  return provider;
}

/** The provider builds its own URLs from the request's Host header; ours come from the issuer (checklist HT1). */
function pinUrls(provider: Provider): void {
  provider.OIDCContext.prototype.urlFor = (name, options) => provider.urlFor(name, options);
  // The issuer also decides whether cookies are Secure: TLS may end at a proxy.
  const scheme = new URL(provider.issuer).protocol.slice(0, -1);
  Object.defineProperty(provider.request, 'protocol', { get: () => scheme });
}
