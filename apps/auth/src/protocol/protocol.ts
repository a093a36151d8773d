/**
 * The OAuth and OpenID Connect endpoints, as one Koa middleware plus what the pages need of them: sessions,
 * interactions and devices. Only this wing imports oidc-provider. README.md describes the folders and lists
 * every override of the provider.
 */
import { findApis } from '@linnet/applications/apis/api-store';
import { changeConsents } from '@linnet/applications/grants/consent-change-store';
import { findEarlierConsent } from '@linnet/applications/grants/earlier-consent-store';
import { createSelfRegistrations } from '@linnet/applications/self-registration/self-registration';
import type { Db } from '@linnet/db/database';
import type { KeyRing } from '@linnet/keys/key-ring';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { DirectEndpoint } from '@linnet/service/http/direct-path';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';
import type { Provider } from 'oidc-provider';

import type { AuthEvents } from '../audit/events.ts';
import {
  ignoreQueryOfResumedRequest,
  redirectWith302,
  repeatWithoutSession,
  redirectPostedRequest,
} from './authorize/authorization-endpoint.ts';
import { showErrorDestination } from './authorize/error-destination.ts';
import { translateImplicit } from './authorize/implicit-token.ts';
import { createInteractions } from './authorize/interaction.ts';
import { createRestarts } from './authorize/restart.ts';
import type { Interactions } from './authorize/interaction.ts';
import { keepRedirectUri } from './authorize/redirect-response.ts';
import type { SecretComparison } from './client/client.ts';
import { withBuiltIn, cacheClients } from './client/client-cache.ts';
import type { ClientCache, FindClient } from './client/client-cache.ts';
import { acceptEmptySecret } from './client/empty-secret.ts';
import { createFindForProvider } from './client/client-documents.ts';
import { createFindRegistration } from './client/client-store.ts';
import type { RegistrationOptions } from './client/client-store.ts';
import { findActivePerson, findPerson } from './claims/person-store.ts';
import { compose, forListedRoutes, nameProtocolRoute } from './request/routes.ts';
import { createDevices } from './device/device.ts';
import type { Devices } from './device/device.ts';
import { correctFailureResponses } from './failures/failure-response.ts';
import { createAuthorizeTestPerson, createConsentGrants } from './grant/consent-grant.ts';
import type { AuthorizeTestPerson, ConsentGrants } from './grant/consent-grant.ts';
import { findGrantIdOf } from './grant/grant-store.ts';
import { limitRequests } from './limits/limit-requests.ts';
import type { RequestLimits } from './limits/request-limits.ts';
import { createEndSession } from './session/end-session.ts';
import type { EndSession } from './session/end-session.ts';
import { createDocuments, serverMetadata, rejectNullOrigin } from './metadata.ts';
import type { Documents } from './metadata.ts';
import { reportIgnoredScopes, reportProviderEvents } from './failures/provider-events.ts';
import { createProvider } from './provider/provider.ts';
import type { ProviderPages } from './failures/provider-pages.ts';
import { registrationEndpoint } from './client/registration-endpoint.ts';
import { createCookies, createSessions } from './session/session.ts';
import { findSessionByUid } from './session/session-store.ts';
import type { Sessions } from './session/session.ts';
import { createClaimOnce } from './storage/stored-payload.ts';
import { createEpochSnapshots } from './token/acting-claims.ts';
import type { EpochSnapshots } from './token/acting-claims.ts';
import { createDirectClientCredentials } from './token/direct-client-credentials.ts';
import { createDirectIntrospection, completeIntrospection } from './token/introspection.ts';
import type { FindUsername } from './token/introspection.ts';
import type { ReadAccessToken } from './token/own-access-token.ts';
import { createFindAskedScopes } from './token/asked-scopes.ts';
import { toAudience } from './token/resource-server.ts';
import { statusListRoute } from './token/status-list.ts';
import { tokenEndpoint } from './token/token-endpoint.ts';
import {
  answerRevocationsWithJson,
  introspectionForConfidential,
  reportRevocations,
} from './token/token-management.ts';
import { userinfoRoute } from './claims/userinfo.ts';

export interface ProtocolOptions extends RegistrationOptions {
  /** The issuer. */
  readonly baseUrl: string;
  /** The origin of public media. */
  readonly mediaUrl: string;
  /** What names of applications are compared with. */
  readonly serviceName: string;
  /** Whether clients can register themselves (DYNAMIC_REGISTRATION). */
  readonly dynamicRegistration: boolean;
  /** Whether people can authorize the API reference (API_EXPLORER). */
  readonly apiExplorer: boolean;
  /** Whether the service serves its web client (CLIENT). */
  readonly webClient: boolean;
  /** Hosts whose metadata documents can be a client_id (CLIENT_ID_METADATA_DOCUMENTS). */
  readonly clientIdMetadataDocuments: readonly string[];
  readonly keyRing: KeyRing;
  /** The first signs cookies and derives refresh tokens. */
  readonly secretKeys: readonly [Secret, ...Secret[]];
  readonly db: Db;
  readonly feed: RevocationFeed;
  /** Reads tokens for our own API. */
  readonly readAccessToken: ReadAccessToken;
  /** Reads tokens for every audience. */
  readonly readIssuedToken: ReadAccessToken;
  readonly events: AuthEvents;
  /** Called when a client authenticated with one of its secrets. */
  readonly secretUsed: SecretComparison['secretUsed'];
  /** Whether an error means that the database cannot be reached. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly pages: ProviderPages;
  readonly limits: RequestLimits;
}

export interface Protocol {
  /** Serves the paths of `routes.ts` and userinfo; passes every other request on. */
  readonly middleware: Koa.Middleware;
  readonly sessions: Sessions;
  readonly interactions: Interactions;
  readonly devices: Devices;
  readonly authorizeTestPerson: AuthorizeTestPerson;
  readonly endSession: EndSession;
  /** What is answered in front of Koa. */
  readonly directEndpoints: readonly DirectEndpoint[];
  /** Call after an application was changed or deleted. Resolves when every process sees the change. */
  readonly clientChanged: (clientId: string) => Promise<void>;
}

export function createProtocol(options: ProtocolOptions): Protocol {
  const { baseUrl, keyRing, secretKeys, db, feed, secretUsed, pages, limits } = options;
  const clients = cacheClients(withBuiltIn(createFindRegistration(db, options), options));
  const { find: findClient } = clients;
  feed.onChange(clients.applyChange);
  const audience = toAudience(baseUrl);
  const registered = { audience, findApis: async (identifiers: readonly string[]) => await findApis(db, identifiers) };
  const findAskedScopes = createFindAskedScopes(registered);
  const readIssuedToken = afterPoll(feed, options.readIssuedToken);
  const findUsername: FindUsername = async (accountId) => (await findActivePerson(db, accountId))?.username;
  const epochs = createEpochSnapshots();
  const provider = createProvider({
    ...{ baseUrl, mediaUrl: options.mediaUrl, feed, epochs },
    ...{ keyRing, secretKeys },
    db,
    audience,
    findApis: registered.findApis,
    reportIgnored: (ctx, scopes) => reportIgnoredScopes(options.events, ctx, scopes),
    clients: { ...clients, find: createFindForProvider(options, clients) },
    findGrantId: async (accountId, clientId) => await findGrantIdOf(db, accountId, clientId),
    ownerOnlyRedirectUri: options.additionalRedirectUri.uri,
    readIssuedToken,
    secretUsed,
    pages,
    limits,
    tokenBounds: options.tokenBounds,
  });
  const grants = createGrants(db, provider, audience);
  const sessions = createSessions(provider, db, createCookies(baseUrl, secretKeys).long);
  const [clientChanged, documents] = [waitForChange(clients, feed), createDocuments()];
  return {
    middleware: compose([
      nameProtocolRoute,
      limitRequests(limits, pages),
      redirectPostedRequest,
      ...[statusListRoute(options), createUserinfoRoute(options)],
      createRegistrationEndpoint(options, clientChanged),
      forListedRoutes(createEndpoints(options, { documents, provider, epochs, sessions, findClient, findUsername })),
    ]),
    ...{ sessions, clientChanged },
    interactions: createInteractions({ provider, sessions, grants, restarts: createRestarts(db), findAskedScopes }),
    devices: createDevices({ provider, db, grants, audience, findAskedScopes }),
    authorizeTestPerson: createAuthorizeTestPerson(provider, audience),
    endSession: createEndSession(options),
    directEndpoints: [
      ...createDirectEndpoints({ ...options, audience, clients, readIssuedToken, findUsername }),
      ...documents.directEndpoints,
    ],
  };
}

function createGrants(db: Db, provider: Provider, audience: string): ConsentGrants {
  return createConsentGrants({
    provider,
    audience,
    findEarlier: async (accountId, clientId) => await findEarlierConsent(db, accountId, clientId),
    changeConsents: async (change) => await changeConsents(db, change),
    isSessionActive: async (uid) => (await findSessionByUid(db, uid)) !== undefined,
  });
}

/** What applications ask often; everything unusual about it is left to the provider. */
function createDirectEndpoints(
  options: Parameters<typeof createDirectClientCredentials>[0] & Parameters<typeof createDirectIntrospection>[0],
): readonly DirectEndpoint[] {
  return [createDirectClientCredentials(options), createDirectIntrospection(options)];
}

function waitForChange(clients: ClientCache, feed: RevocationFeed): Protocol['clientChanged'] {
  return async (clientId) => {
    clients.forget(clientId);
    await feed.waitForPropagation();
  };
}

/** Introspection asks the database, not the feed: a token that was revoked at another process is inactive at once. */
function afterPoll(feed: Pick<RevocationFeed, 'pollNow'>, readAccessToken: ReadAccessToken): ReadAccessToken {
  return async (token) => await readAccessToken(token, async () => await feed.pollNow());
}

interface EndpointParts {
  readonly documents: Documents;
  readonly provider: Provider;
  readonly epochs: EpochSnapshots;
  readonly sessions: Sessions;
  readonly findClient: FindClient;
  readonly findUsername: FindUsername;
}

/** The provider, and around it what it does differently from our specification. */
function createEndpoints(
  options: ProtocolOptions,
  { documents, provider, epochs, sessions, findClient, findUsername }: EndpointParts,
): Koa.Middleware {
  const { events, isUnavailable, baseUrl, pages } = options;
  const findOutcome = reportProviderEvents(provider, events, epochs);
  return compose([
    documents.middleware,
    rejectNullOrigin,
    acceptEmptySecret(findClient),
    tokenEndpoint(findOutcome),
    correctFailureResponses(findOutcome, isUnavailable),
    introspectionForConfidential,
    completeIntrospection(findUsername),
    answerRevocationsWithJson,
    reportRevocations(events),
    serverMetadata(options),
    repeatWithoutSession,
    showErrorDestination({
      issuer: baseUrl,
      findOutcome,
      sessions,
      showErrorDestination: pages.showErrorDestination,
    }),
    redirectWith302,
    ignoreQueryOfResumedRequest,
    keepRedirectUri,
    translateImplicit,
    ...provider.middleware,
  ]);
}

function createRegistrationEndpoint(
  { db, baseUrl, serviceName, dynamicRegistration: isOn, limits }: ProtocolOptions,
  clientChanged: Protocol['clientChanged'],
): Koa.Middleware {
  const registrations = createSelfRegistrations(db, { serviceName, baseUrl });
  return registrationEndpoint({ baseUrl, isOn, registrations, limits, clientChanged });
}

function createUserinfoRoute({ db, baseUrl, mediaUrl, readAccessToken, limits }: ProtocolOptions): Koa.Middleware {
  return userinfoRoute({
    ...{ baseUrl, mediaUrl },
    readAccessToken,
    limits,
    claimOnce: createClaimOnce(db),
    findPerson: async (accountId, chain) => await findPerson(db, accountId, chain),
  });
}
