import { createAccounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';
import { DatabaseUnavailable } from '@linnet/db/database-error';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { clientAddress } from '@linnet/service/client-address';
import { hostPin } from '@linnet/service/host-pin';
import type { Readiness, RequestHandler } from '@linnet/service/http-server';
import type { Logger } from '@linnet/service/logger';
import { requestLog } from '@linnet/service/request-log';
import type { Secret } from '@linnet/service/secret';
import { loadAssets } from '@linnet/ui/assets';
import Koa from 'koa';

import { createAreas } from './areas.ts';
import type { AuthConfig } from './config.ts';
import { createEvents } from './events.ts';
import { createCsrf } from './http/csrf.ts';
import { fallback } from './http/fallback.tsx';
import { homeRoute } from './http/home.ts';
import { createLanguages } from './http/language.ts';
import { createOidcRenderers } from './http/oidc-pages.tsx';
import { createFrameFactory } from './http/page-frame.ts';
import { pageStyles } from './http/page-styles.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createThrottle, unlimited } from './http/throttle.ts';
import type { Web } from './http/web.ts';
import { createSignInRoutes } from './interactions/sign-in-routes.ts';
import { loadKeyRing } from './keys/key-ring.ts';
import { countUsableKeys } from './keys/key-store.ts';
import { cookieKeys } from './oidc/cookies.ts';
import { createMarkOnce } from './oidc/mark-once.ts';
import { createAccessTokenReader } from './oidc/own-access-token.ts';
import type { ReadAccessToken } from './oidc/own-access-token.ts';
import { createOidc } from './oidc/provider.ts';
import { rememberOrigin } from './oidc/request-origin.ts';
import { userinfoRoute } from './userinfo/userinfo-route.ts';
import { findPerson } from './userinfo/userinfo-store.ts';

export interface AuthApp {
  readonly handler: RequestHandler;
  readonly readiness: Readiness;
}

export interface AuthAppOptions {
  readonly config: AuthConfig;
  readonly db: Db;
  readonly feed: RevocationFeed;
  readonly logger: Logger;
}

/**
 * The authorization server as a request handler. `ensureSigningKeys` comes first.
 * @throws SecretKeysChanged when SECRET_KEYS does not open the signing keys.
 */
export async function createAuthApp({ config, db, feed, logger }: AuthAppOptions): Promise<AuthApp> {
  const { baseUrl, serviceName, trustProxy, rateLimits } = config;
  const secretKeys = requireKeys(config.secretKeys);
  const keyRing = await loadKeyRing(db, secretKeys);
  const events = createEvents(logger);
  const accounts = createAccounts(db);

  const assets = loadAssets({ path: '/assets', styles: pageStyles });
  const languages = createLanguages(baseUrl);
  const csrf = createCsrf({ baseUrl, keys: secretKeys });
  const createFrame = createFrameFactory({ serviceName, assets, csrf, languages });
  const findViewer = async (accountId: number) => await accounts.findById(accountId);
  const renderers = createOidcRenderers({ createFrame, findViewer });
  const readAccessToken = createAccessTokenReader({ baseUrl, keyRing, feed });
  const oidc = createOidc({
    baseUrl,
    keyRing,
    secretKeys,
    db,
    feed,
    readAccessToken,
    events,
    isUnavailable,
    renderers,
  });
  const web: Web = { baseUrl, csrf, createFrame, findViewer, sessions: oidc.sessions, interactions: oidc.interactions };

  const addressOf = (ctx: Koa.Context) => clientAddress(ctx.req, trustProxy);
  const throttle = rateLimits ? createThrottle({ db, clientAddress: addressOf }) : unlimited;

  const app = new Koa({ keys: cookieKeys(secretKeys) });
  // Whether cookies may be Secure follows BASE_URL: TLS may end at a proxy.
  const scheme = new URL(baseUrl).protocol.slice(0, -1);
  Object.defineProperty(app.request, 'protocol', { get: () => scheme });
  // Whatever reaches this has been answered, or there is nobody left to answer.
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'connection failed'));
  app.use(requestLog(logger));
  app.use(securityHeaders(baseUrl));
  app.use(fallback({ events, isUnavailable, createFrame }));
  app.use(hostPin(baseUrl));
  app.use(assets.serve);
  app.use(languages.rememberLanguage);
  app.use(rememberOrigin(addressOf));
  app.use(homeRoute(web));
  app.use(createUserinfo(db, baseUrl, readAccessToken));
  for (const routes of createSignInRoutes({ web, accounts, throttle, events })) app.use(routes);
  for (const routes of createAreas({ ...oidc, web, db, accounts, throttle, events })) app.use(routes);
  for (const step of oidc.steps) app.use(step);

  const handle = app.callback();
  return {
    handler: (request, response) => void handle(request, response),
    readiness: createReadiness(db, feed),
  };
}

function createReadiness(db: Db, feed: RevocationFeed): Readiness {
  return async () => [
    { name: 'database', ok: await succeeds(countUsableKeys(db)) },
    { name: 'keys', ok: true },
    { name: 'revocations', ok: await succeeds(feed.ready()) },
  ];
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}

function createUserinfo(db: Db, baseUrl: string, readAccessToken: ReadAccessToken): Koa.Middleware {
  const find = async (accountId: number, grantId: string) => await findPerson(db, accountId, grantId);
  return userinfoRoute({ baseUrl, readAccessToken, markOnce: createMarkOnce(db), findPerson: find });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable;
}

function requireKeys([first, ...others]: readonly Secret[]): readonly [Secret, ...Secret[]] {
  if (first === undefined) throw new RangeError('the authorization server needs SECRET_KEYS');
  return [first, ...others];
}
