/** Creates the oidc-provider instance for one key ring and applies every override of it. */
import type { Db } from '@linnet/db/database';
import type { KeyRing } from '@linnet/keys/key-ring';
import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Secret } from '@linnet/service/config/secret';
import { Provider } from 'oidc-provider';
import { replaceFormPost } from '../authorize/form-post.ts';
import type { SecretComparison } from '../client/client.ts';
import { createAssertionListener } from '../client/client-assertion.ts';
import type { ClientCache } from '../client/client-cache.ts';
import { createFindSubject } from '../claims/claims.ts';
import { createConfiguration } from './configuration.ts';
import { createRememberedGrant } from '../grant/consent-grant.ts';
import type { FindGrantId } from '../grant/consent-grant.ts';
import { admitPending } from '../limits/limit-requests.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { createRenderers } from '../failures/provider-pages.ts';
import type { ProviderPages } from '../failures/provider-pages.ts';
import { currentOrigin } from '../session/session.ts';
import { createAdapter } from './adapter.ts';
import { createRotationRule, createSuccessorOf } from '../token/refresh-token.ts';
import { createActingClaims } from '../token/acting-claims.ts';
import { createTokenStatus } from '../token/status-list.ts';
import type { EpochSnapshots } from '../token/acting-claims.ts';
import { createLifetimes } from '../token/es256-signing-key.ts';
import type { ReadAccessToken, FindApis } from '../token/own-access-token.ts';
import { createOutsideTokens } from '../token/own-access-token.ts';
import { createApiRequests, createApiResource } from '../token/resource-server.ts';
import type { ReportIgnored } from '../token/requested-scope.ts';
import { overrideProvider } from './overrides.ts';

interface ProviderOptions {
  /** The issuer. */
  readonly baseUrl: string;
  readonly mediaUrl: string;
  readonly keyRing: KeyRing;
  readonly secretKeys: readonly [Secret, ...Secret[]];
  readonly db: Db;
  /** That of our own API. */
  readonly audience: string;
  readonly findApis: FindApis;
  readonly reportIgnored: ReportIgnored;
  readonly clients: Pick<ClientCache, 'find' | 'reload'>;
  readonly findGrantId: FindGrantId;
  /** Without a query. */
  readonly ownerOnlyRedirectUri: string;
  /** Reads tokens for every audience. */
  readonly readIssuedToken: ReadAccessToken;
  readonly secretUsed: SecretComparison['secretUsed'];
  readonly pages: ProviderPages;
  readonly limits: RequestLimits;
  readonly epochs: EpochSnapshots;
  readonly feed: Pick<RevocationFeed, 'pollNow'>;
  /** The longest lifetimes of tokens. */
  readonly tokenBounds: TokenBounds;
}

export function createProvider(options: ProviderOptions): Provider {
  const { baseUrl, keyRing, secretKeys, db, audience, findApis, clients, findGrantId, limits, epochs } = options;
  const apiRequests = createApiRequests(audience, findApis);
  const outsideTokens = createOutsideTokens({ audience, findApis });
  const successorOf = createSuccessorOf(secretKeys);
  const adapter = createAdapter({
    db,
    findClient: clients.find,
    successorOf,
    repeatSeconds: options.tokenBounds.refreshTokenRepeat,
    isClientGone: () => Provider.ctx?.res.destroyed === true,
    requestOrigin: currentOrigin,
    epochs,
    audience,
    readIssuedToken: options.readIssuedToken,
    outsideTokens,
    admitPending: admitPending(limits),
    learnRevocations: async () => await options.feed.pollNow().catch(() => undefined),
  });
  const provider = new (replaceFormPost(options.pages.showResponse))(
    baseUrl,
    createConfiguration({
      baseUrl,
      keyRing,
      secretKeys,
      api: createApiResource({
        audience,
        keys: keyRing.current,
        apiRequests,
        reportIgnored: options.reportIgnored,
      }),
      outsideTokens,
      adapter,
      findClient: clients.find,
      actingClaims: createActingClaims(epochs, apiRequests, createTokenStatus(db, baseUrl)),
      findSubject: createFindSubject(db, options),
      rememberedGrant: createRememberedGrant({ findGrantId, audience }),
      ownerOnlyRedirectUri: options.ownerOnlyRedirectUri,
      rotateRefreshToken: createRotationRule(db, options.tokenBounds),
      ttl: createLifetimes(epochs, options.tokenBounds),
      renderers: createRenderers(options.pages),
      assertionAccepted: createAssertionListener(limits),
    }),
  );
  overrideProvider(provider, successorOf, options);
  return provider;
}
