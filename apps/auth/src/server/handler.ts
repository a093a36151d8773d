import type { SecretUse } from '@linnet/applications/secrets/secret-store';
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import type { SumBuffer } from '@linnet/db/statement/sum-buffer';
import type { KeyRing } from '@linnet/keys/key-ring';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Cache } from '@linnet/service/cache/cache';
import type { Secret } from '@linnet/service/config/secret';
import { withDirectPath } from '@linnet/service/http/direct-path';
import { hostPin } from '@linnet/service/http/host-pin';
import type { RequestHandler } from '@linnet/service/http/http-server';
import { requestLog } from '@linnet/service/http/request-log';
import type { RequestLog } from '@linnet/service/http/request-log';
import { watchForProxy } from '@linnet/service/http/untrusted-proxy';
import type { Logger } from '@linnet/service/log/logger';
import Koa from 'koa';

import { playgroundRedirectUri } from '../areas/playground/playground-routes.tsx';
import { fallback } from '../pages/frame/render.tsx';
import { searchEngines } from '../areas/front/search-engines.ts';
import { statusRoute } from '../areas/front/status.tsx';
import { securityHeaders, wellKnown } from '../pages/frame/security-headers.ts';
import { createRequestLimits, unlimitedRequests } from '../protocol/limits/request-limits.ts';
import type { RequestLimits } from '../protocol/limits/request-limits.ts';
import { createProtocol } from '../protocol/protocol.ts';
import { cookieKeys } from '../protocol/session/cookie-keys.ts';
import { rememberOrigin } from '../protocol/session/session.ts';
import { createAccessTokenReaders } from '../protocol/token/own-access-token.ts';
import { toAudience } from '../protocol/token/resource-server.ts';
import { createProviderPages } from '../sign-in/logout/provider-pages.tsx';
import { createPageKit } from './page-kit.ts';
import type { PageKit } from './page-kit.ts';
import { createPageRoutes } from './page-routes.ts';
import type { PageRoutesOptions } from './page-routes.ts';

interface HandlerOptions extends Omit<
  PageRoutesOptions,
  'kit' | 'protocol' | 'cache' | 'limits' | 'readAccessToken' | 'keyRing'
> {
  readonly feed: RevocationFeed;
  readonly logger: Logger;
  readonly requests: RequestLog;
  /** With CACHE_URL. */
  readonly cache: Cache | undefined;
  readonly recordProxies: (seen: number) => Promise<void>;
  readonly secretUse: Pick<SumBuffer<SecretUse>, 'add'>;
}

/**
 * Makes the request handler of a key ring. oidc-provider is built for fixed keys, so every new ring gets a new
 * handler; that takes milliseconds, and a handler keeps no state.
 */
export function createHandlerFactory(options: HandlerOptions): (keyRing: KeyRing) => RequestHandler {
  const { config, db, feed, logger, secretKeys, accounts, events, secretUse, requests } = options;
  const { baseUrl, serviceName, trustProxy, dynamicRegistration, clientIdMetadataDocuments, tokenBounds } = config;
  const { apiExplorer, webClient } = config;
  const kit = createPageKit({ config, db, accounts, secretKeys });
  const { createFrame } = kit;
  const providerPages = createProviderPages({ createFrame });
  const secretUsed = (id: string, at: number) => secretUse.add(id, { uses: 1, lastUsedAt: at });
  const createFeed = notifyNewestHandler(feed);
  // Not per key ring: a rotation must not reset the counts.
  const limits = createLimits(options, kit.clientAddress);
  const forSearch = searchEngines({ baseUrl, db, hasSitemap: config.sitemap });
  const status = statusRoute({ db, createFrame });
  const proxyWatch = watchForProxy({ trustProxy, logger, record: options.recordProxies });

  return (keyRing) => {
    const ownFeed = createFeed();
    const readers = createAccessTokenReaders({ audience: toAudience(baseUrl), baseUrl, keyRing, feed: ownFeed });
    const protocol = createProtocol({
      ...{ baseUrl, mediaUrl: config.media.url ?? baseUrl },
      serviceName,
      ...{ dynamicRegistration, clientIdMetadataDocuments, tokenBounds, apiExplorer, webClient },
      keyRing,
      secretKeys,
      db,
      feed: ownFeed,
      ...readers,
      events,
      secretUsed,
      additionalRedirectUri: playgroundRedirectUri(baseUrl),
      requiresConfirmedOwner: config.mail.smtpUrl !== undefined,
      isUnavailable,
      pages: providerPages,
      limits,
    });
    const app = createKoa(baseUrl, secretKeys, logger);
    app.use(requestLog(requests));
    app.use(proxyWatch);
    app.use(securityHeaders);
    app.use(fallback({ events, isUnavailable, createFrame }));
    app.use(hostPin(baseUrl));
    for (const open of [wellKnown(config), forSearch, kit.languages.rememberLanguage, status]) app.use(open);
    app.use(rememberOrigin(kit.clientAddress));
    app.use(protocol.middleware);
    for (const routes of createPageRoutes({ ...options, ...readers, keyRing, limits, kit, protocol })) app.use(routes);
    const handle = app.callback();
    const complete: RequestHandler = (request, response) => void handle(request, response);
    if (!config.directPath) return complete;
    return withDirectPath({ endpoints: protocol.directEndpoints, baseUrl, trustProxy, logger, requests }, complete);
  };
}

function createKoa(baseUrl: string, secretKeys: readonly Secret[], logger: Logger): Koa {
  const app = new Koa();
  app.keys = cookieKeys(secretKeys);
  // BASE_URL decides whether cookies are Secure: TLS may end at a proxy.
  const scheme = new URL(baseUrl).protocol.slice(0, -1);
  Object.defineProperty(app.request, 'protocol', { get: () => scheme });
  // `fallback` handles what routes throw. What arrives here failed after the response, or the client disconnected.
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'connection failed'));
  return app;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable;
}

type LimitsOptions = Pick<HandlerOptions, 'config' | 'db' | 'cache'>;

function createLimits({ config, db, cache }: LimitsOptions, clientAddress: PageKit['clientAddress']): RequestLimits {
  const { rateLimits: isLimited, workers, registrationsPerHour } = config;
  if (!isLimited) return unlimitedRequests;
  return createRequestLimits({ db, workers, shared: cache?.counts, registrationsPerHour, clientAddress });
}

/**
 * Gives each request handler a feed of its own and notifies only the newest one of changes, so that a replaced
 * handler can be garbage collected.
 */
function notifyNewestHandler(feed: RevocationFeed): () => RevocationFeed {
  let listeners: Parameters<RevocationFeed['onChange']>[0][] = [];
  feed.onChange((change) => {
    for (const listener of listeners) listener(change);
  });
  return () => {
    const own: typeof listeners = [];
    listeners = own;
    return { ...feed, onChange: (listener) => void own.push(listener) };
  };
}

interface Newest {
  /** Replaces the handler and the keys. Requests in progress finish with the handler that they started with. */
  readonly use: (ring: KeyRing) => void;
  readonly handler: RequestHandler;
  readonly keyRing: () => KeyRing;
}

/** Keeps the newest key ring and its request handler. */
export function keepNewest(createHandler: (ring: KeyRing) => RequestHandler): Newest {
  let newest: { readonly ring: KeyRing; readonly handler: RequestHandler } | undefined;
  return {
    use: (ring) => (newest = { ring, handler: createHandler(ring) }),
    handler: (request, response) => newest?.handler(request, response),
    keyRing: () => {
      if (newest === undefined) throw new Error('the signing keys are not loaded');
      return newest.ring;
    },
  };
}
