/**
 * The authorization server's engine. This folder is the only one that imports oidc-provider; the
 * rest of the app gets Koa middleware, `sessions` and `interactions` from here. Reading order:
 * `routes` (what is reachable), `configuration` (what is on), `client*` (who the applications are),
 * `adapter` with the `*-store` files (what is kept, exactly once), `resource-server` (what a token
 * says), `interaction`, `consent-grant` and `session` (what pages need), then the steps around the provider:
 * `implicit-token`, `nonce`, `authorization-endpoint`, `token-endpoint`, `failure-response`,
 * `token-management` (revocation, introspection), `metadata`, and `observe` (events).
 */
import type { Db } from '@linnet/db/database';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Secret } from '@linnet/service/secret';
import type Koa from 'koa';
import { Provider } from 'oidc-provider';

import type { AuthEvents } from '../audit/events.ts';
import { changeConsents } from '@linnet/applications/consent-change-store';
import type { KeyRing } from '@linnet/keys/key-ring';
import { createAdapter, createFindParams } from './storage/adapter.ts';
import { announceGrantedScope, redirectWith302 } from './authorize/authorization-endpoint.ts';
import { compareSecretsByHash } from './client/client.ts';
import type { SecretComparison } from './client/client.ts';
import { markExactlyOnce } from './client/client-assertion.ts';
import { cacheClients } from './client/client-cache.ts';
import type { FindClient } from './client/client-cache.ts';
import { findRegistration } from './client/client-store.ts';
import { createConfiguration } from './configuration.ts';
import type { ConfigurationOptions } from './configuration.ts';
import { createConsentGrants, createRememberedGrant } from './grants/consent-grant.ts';
import type { FindGrantId } from './grants/consent-grant.ts';
import { createCookies } from './session/cookies.ts';
import { createDevices } from './device/device.ts';
import type { Devices } from './device/device.ts';
import { truthfulFailures } from './failures/failure-response.ts';
import { findGrantIdOf } from './grants/grant-store.ts';
import { issueImplicitTokens, translateImplicit } from './authorize/implicit-token.ts';
import { createInteractions } from './authorize/interaction.ts';
import type { Interactions } from './authorize/interaction.ts';
import { createIssueEpochs } from './token/issue-epochs.ts';
import { createLifetimes } from './token/lifetimes.ts';
import { createMarkOnce } from './storage/mark-once.ts';
import { honestMetadata } from './metadata/metadata.ts';
import { carryNonce } from './authorize/nonce.ts';
import { observeProvider } from './observe.ts';
import { allowStateInRedirectUri } from './authorize/redirect-uri.ts';
import { leadPostedRequest } from './authorize/posted-request.ts';
import { currentOrigin } from './session/request-origin.ts';
import type { ReadAccessToken } from './token/own-access-token.ts';
import { createActingClaims, createApiResource } from './token/resource-server.ts';
import type { ApiResource } from './token/resource-server.ts';
import { onlyListedRoutes } from './routes.ts';
import { createSessions, revokeDestroyedSessions } from './session/session.ts';
import type { Sessions } from './session/session.ts';
import { createFindSubject } from './token/subject-store.ts';
import { createSuccessorOf, rotateToSuccessor } from './token/successor.ts';
import type { SuccessorOf } from './token/successor.ts';
import { tokenEndpoint } from './token/token-endpoint.ts';
import { admitAccessTokens, introspectionForConfidential, tellRevocations } from './token/token-management.ts';

export interface OidcOptions {
  /** The issuer. */
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
  /** The first signs cookies and derives refresh tokens. */
  readonly secretKeys: readonly [Secret, ...Secret[]];
  readonly db: Db;
  readonly feed: RevocationFeed;
  readonly readAccessToken: ReadAccessToken;
  readonly events: AuthEvents;
  /** An application proved who it is with one of its secrets. */
  readonly secretUsed: SecretComparison['secretUsed'];
  /** Whether an error means that the database is away. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** How refusals and the pages of signing out look. */
  readonly renderers: ConfigurationOptions['renderers'];
}

export interface Oidc {
  /** The steps that answer the paths of `routes.ts`, in order; they come last in an app and leave other paths alone. */
  readonly steps: readonly Koa.Middleware[];
  readonly sessions: Sessions;
  readonly interactions: Interactions;
  readonly devices: Devices;
  /** An application was changed or deleted: this process sees it at once, and every other when this resolves. */
  readonly clientChanged: (clientId: string) => Promise<void>;
}

export function createOidc(options: OidcOptions): Oidc {
  const { baseUrl, keyRing, secretKeys, db, feed, events, isUnavailable } = options;
  const clients = cacheClients((clientId) => findRegistration(db, clientId));
  feed.onChange(clients.obey);
  const findGrantId = async (accountId: number, clientId: string) => await findGrantIdOf(db, accountId, clientId);
  const successorOf = createSuccessorOf(secretKeys);
  const api = createApiResource(baseUrl, keyRing.current.kid);
  const provider = createProvider(options, { api, findClient: clients.find, findGrantId, successorOf });
  const secrets = { findAfresh: clients.findAfresh, secretUsed: options.secretUsed };
  correct(provider, { db, secrets, audience: api.audience, successorOf });
  const findOutcome = observeProvider(provider, events);
  const grants = createConsentGrants({
    provider,
    audience: api.audience,
    findGrantId,
    changeConsents: async (change) => await changeConsents(db, change),
  });
  const sessions = createSessions(provider, db, createCookies(baseUrl, secretKeys).long ?? {});
  return {
    clientChanged: async (clientId) => {
      clients.forget(clientId);
      await feed.spread();
    },
    sessions,
    interactions: createInteractions({
      provider,
      sessions,
      grants,
      findParams: createFindParams(db),
    }),
    devices: createDevices({ provider, db, grants, audience: api.audience }),
    steps: [
      onlyListedRoutes,
      leadPostedRequest,
      tokenEndpoint(findOutcome),
      truthfulFailures(findOutcome, isUnavailable),
      introspectionForConfidential,
      tellRevocations(events),
      honestMetadata,
      redirectWith302,
      translateImplicit,
      ...provider.middleware,
    ],
  };
}

interface ProviderParts {
  readonly api: ApiResource;
  readonly findClient: FindClient;
  readonly findGrantId: FindGrantId;
  readonly successorOf: SuccessorOf;
}

function createProvider(options: OidcOptions, { api, findClient, findGrantId, successorOf }: ProviderParts): Provider {
  const { baseUrl, keyRing, secretKeys, db, readAccessToken, renderers } = options;
  const epochs = createIssueEpochs();
  const requestOrigin = currentOrigin;
  return new Provider(
    baseUrl,
    createConfiguration({
      baseUrl,
      keyRing,
      secretKeys,
      api,
      findClient,
      actingClaims: createActingClaims(epochs),
      adapter: createAdapter({ baseUrl, db, findClient, successorOf, requestOrigin, epochs, readAccessToken }),
      findSubject: createFindSubject(db),
      rememberedGrant: createRememberedGrant(findGrantId),
      ttl: createLifetimes(epochs),
      renderers,
    }),
  );
}

interface Corrections {
  readonly db: Pick<Db, 'query'>;
  readonly secrets: SecretComparison;
  readonly audience: string;
  readonly successorOf: SuccessorOf;
}

/** What the provider does otherwise than we want, and no setting changes. */
function correct(provider: Provider, { db, secrets, audience, successorOf }: Corrections): void {
  compareSecretsByHash(provider, secrets);
  admitAccessTokens(provider);
  pinUrls(provider);
  carryNonce(provider);
  allowStateInRedirectUri(provider);
  issueImplicitTokens(provider, audience);
  rotateToSuccessor(provider, successorOf);
  revokeDestroyedSessions(provider, db);
  markExactlyOnce(provider, createMarkOnce(db));
  announceGrantedScope(provider);
}

/** The provider builds its own addresses from the Host of the request; the issuer is the truth (checklist HT1). */
function pinUrls(provider: Provider): void {
  // Assertions name the issuer, whatever address they are sent to (checklist CA7).
  provider.OIDCContext.prototype.clientJwtAuthExpectedAudience = () => new Set([provider.issuer]);
  provider.OIDCContext.prototype.urlFor = (name, options) => provider.urlFor(name, options);
  // Whether cookies may be Secure follows the issuer too: TLS may end at a proxy.
  const scheme = new URL(provider.issuer).protocol.slice(0, -1);
  Object.defineProperty(provider.request, 'protocol', { get: () => scheme });
}
