import { createAccounts } from '@linnet/accounts/accounts';
import type { Accounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';
import { DatabaseUnavailable } from '@linnet/db/database-error';
import { createMedia } from '@linnet/media/media';
import type { Media } from '@linnet/media/media';
import { createMediaSignatures } from '@linnet/media/media-address';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { clientAddress } from '@linnet/service/client-address';
import { hostPin } from '@linnet/service/host-pin';
import type { Readiness, RequestHandler } from '@linnet/service/http-server';
import type { Job } from '@linnet/service/jobs';
import type { Logger } from '@linnet/service/logger';
import { requestLog } from '@linnet/service/request-log';
import type { Secret } from '@linnet/service/secret';
import { loadAssets } from '@linnet/ui/assets';
import { sweepApplicationUsage, bufferApplicationUsage } from '@linnet/applications/application-usage-store';
import type { ApplicationUsage } from '@linnet/applications/application-usage-store';
import type { SumBuffer } from '@linnet/db/sum-buffer';
import Koa from 'koa';

import { findLogo } from '@linnet/applications/description-store';
import { sweepEndedSecrets, bufferSecretUse } from '@linnet/applications/secret-use-store';
import type { SecretUse } from '@linnet/applications/secret-use-store';
import { createAreas } from './areas/areas.ts';
import { auditEvents } from './audit/audited-events.ts';
import { createSealer } from '@linnet/audit/seal-store';
import type { AuthConfig } from './config.ts';
import { createEvents } from './audit/events.ts';
import { endDueGrants } from '@linnet/applications/consent-change-store';
import { createCsrf } from './pages/http/csrf.ts';
import { createFactors } from './sign-in/factors/factors.ts';
import type { Factors } from './sign-in/factors/factors.ts';
import { sweepFailures } from './protocol/failures/failure-store.ts';
import { recordFailures } from './protocol/failures/recorded-events.ts';
import { countTokens } from './audit/counted-events.ts';
import { fallback } from './pages/http/fallback.tsx';
import { homeRoute } from './sign-in/visit/home.ts';
import { createLanguages } from './pages/http/language.ts';
import { createOidcRenderers } from './sign-in/logout/oidc-pages.tsx';
import { createFrameFactory } from './pages/http/page-frame.ts';
import { pageScripts, pageStyles } from './pages/http/page-styles.ts';
import { securityHeaders } from './pages/http/security-headers.ts';
import { createThrottle, unlimited } from './pages/http/throttle.ts';
import type { Web } from './sign-in/visit/web.ts';
import { shedWhenOverloaded } from './sign-in/standalone/overload.tsx';
import { createPending } from './sign-in/second-factor/pending.ts';
import { findEpoch } from './sign-in/second-factor/pending-store.ts';
import { createSignInRoutes } from './sign-in/sign-in-routes.ts';
import { reauthenticateRoute } from './sign-in/step-up/reauthenticate-route.tsx';
import { createStepUp } from './sign-in/step-up/step-up.tsx';
import type { KeyRing } from '@linnet/keys/key-ring';
import { serveLogo } from './areas/logos/serve-logo.ts';
import { countUsableKeys } from '@linnet/keys/key-store';
import { createLiveKeyRing } from '@linnet/keys/live-key-ring';
import { createMailLinkRoutes } from './sign-in/mail-links/mail-link-routes.ts';
import { sweepMailFiles } from './mail/kept-files.ts';
import { sweepLinks } from './mail/link-store.ts';
import { createMailJob } from './mail/mail-job.ts';
import { cookieKeys } from './protocol/session/cookies.ts';
import { createMarkOnce } from './protocol/storage/mark-once.ts';
import { createAccessTokenReader } from './protocol/token/own-access-token.ts';
import type { ReadAccessToken } from './protocol/token/own-access-token.ts';
import { sweepExpired } from './protocol/storage/expired-store.ts';
import { createOidc } from './protocol/provider.ts';
import { rememberOrigin } from './protocol/session/request-origin.ts';
import { sweepRuns } from './areas/playground/run-store.ts';
import { userinfoRoute } from './protocol/userinfo/userinfo-route.ts';
import { findPerson } from './protocol/userinfo/userinfo-store.ts';

/** Disposal ends what the app started, the decoding process, and stores what was counted last; requests are over then. */
export interface AuthApp extends AsyncDisposable {
  readonly handler: RequestHandler;
  readonly readiness: Readiness;
  /** What is to be done now and then while the server runs. */
  readonly jobs: readonly Job[];
}

export interface AuthAppOptions {
  readonly config: AuthConfig;
  readonly db: Db;
  readonly feed: RevocationFeed;
  readonly logger: Logger;
}

/** A rotation that waits for the cache of others is late by this at most. */
const keysEveryMs = 10_000;
/** What is past its end is refused by every statement at once; this tells the processes that ask none. */
const dueEveryMs = 500;
const sweepEveryMs = 600_000;
/** What was counted in this time is lost when the process dies. */
const usageEveryMs = 1000;
const sealEveryMs = 3000;

/**
 * The authorization server as a request handler. `ensureSigningKeys` comes first.
 * @throws SecretKeysChanged when SECRET_KEYS does not open the signing keys.
 */
export async function createAuthApp(options: AuthAppOptions): Promise<AuthApp> {
  const { config, db, feed, logger } = options;
  const secretKeys = requireKeys(config.secretKeys);
  // Pictures come from forms here, never from addresses; the API sweeps.
  const media = createMedia({ ...config, mediaFetchAllow: [] }, db, logger);
  const factors = createFactors({ ...config, db, secretKeys });
  const secretUse = bufferSecretUse(db);
  const usage = bufferApplicationUsage(db);
  const flush = async () => {
    await Promise.all([secretUse.flush(), usage.flush()]);
  };
  const createHandler = prepareHandler({ ...options, secretKeys, media, factors, secretUse, usage });
  let handler: RequestHandler | undefined;
  const keys = await createLiveKeyRing({
    db,
    secretKeys,
    feed,
    // Requests under way end with the handler that they began with.
    use: (ring) => (handler = createHandler(ring)),
    onError: (error) => logger.warn({ err: error }, 'signing keys could not be read anew'),
  });
  return {
    handler: (request, response) => handler?.(request, response),
    readiness: createReadiness(db, feed),
    jobs: [
      { name: 'usage', everyMs: usageEveryMs, run: flush },
      { name: 'old-usage', everyMs: sweepEveryMs, run: async () => await sweepApplicationUsage(db) },
      { name: 'signing-keys', everyMs: keysEveryMs, run: async () => await keys.tend() },
      { name: 'second-factors', everyMs: sweepEveryMs, run: async () => await factors.secondFactor.reseal() },
      { name: 'grants-due', everyMs: dueEveryMs, run: async () => await endDueGrants(db) },
      { name: 'expired', everyMs: sweepEveryMs, run: async (stopping) => await sweepExpired(db, stopping) },
      { name: 'audit-seal', everyMs: sealEveryMs, run: createSealer(db) },
      { name: 'request-log', everyMs: sweepEveryMs, run: async () => await sweepFailures(db) },
      { name: 'mail-links', everyMs: sweepEveryMs, run: async () => await sweepLinks(db) },
      { name: 'mail-files', everyMs: sweepEveryMs, run: async () => await sweepMailFiles(config.mail.directory) },
      createMailJob({ config, db, logger, secret: secretKeys[0] }),
      { name: 'playground-runs', everyMs: sweepEveryMs, run: async () => await sweepRuns(db) },
      { name: 'ended-secrets', everyMs: sweepEveryMs, run: async () => await sweepEndedSecrets(db) },
    ],
    [Symbol.asyncDispose]: async () => {
      await media[Symbol.asyncDispose]();
      // As after a crash, what was counted last may be lost.
      await flush().catch((error: unknown) => logger.warn({ err: error }, 'the last uses were not counted'));
    },
  };
}

interface HandlerOptions extends AuthAppOptions {
  readonly secretUse: SumBuffer<SecretUse>;
  readonly usage: ApplicationUsage;
  readonly secretKeys: readonly [Secret, ...Secret[]];
  readonly media: Media;
  readonly factors: Factors;
}

/** Everything holds the keys it was made with, so another ring of keys gets a handler of its own: milliseconds, no state. */
function prepareHandler(options: HandlerOptions): (keyRing: KeyRing) => RequestHandler {
  const { config, db, logger, secretKeys, media, factors, secretUse, usage } = options;
  const { baseUrl, serviceName, trustProxy, rateLimits } = config;
  const told = recordFailures(auditEvents(createEvents(logger), { db, logger }), { db, logger });
  const events = countTokens(told, usage);
  const accounts = createAccounts(db);

  const assets = loadAssets({ path: '/assets', styles: pageStyles, scripts: pageScripts });
  const languages = createLanguages(baseUrl);
  const csrf = createCsrf({ baseUrl, keys: secretKeys });
  const createFrame = createFrameFactory({ serviceName, assets, csrf, languages });
  const findViewer = async (accountId: number) => await accounts.findById(accountId);
  const verification = createVerificationChecks(config, accounts);
  const renderers = createOidcRenderers({ createFrame, findViewer });
  const addressOf = (ctx: Koa.Context) => clientAddress(ctx.req, trustProxy);
  const throttle = rateLimits ? createThrottle({ db, clientAddress: addressOf }) : unlimited;
  const wire = { baseUrl, serviceName, mediaSignatures: createMediaSignatures(secretKeys) };
  const isLimited = rateLimits;
  const createFeed = feedForTheLatest(options.feed);
  const pending = createPending({ baseUrl, secretKeys, findEpoch: (accountId) => findEpoch(db, accountId) });
  const common = { db, accounts, throttle, events, ...factors };
  const secretUsed = (id: string, at: number) => secretUse.add(id, { uses: 1, lastUsedAt: at });

  return (keyRing) => {
    const feed = createFeed();
    const readAccessToken = createAccessTokenReader({ baseUrl, keyRing, feed });
    const engine = { baseUrl, keyRing, secretKeys, db, feed, readAccessToken, events, isUnavailable, renderers };
    const oidc = createOidc({ ...engine, secretUsed });
    const { sessions, interactions } = oidc;
    const proofs = { ...common, sessions, secretKeys };
    const stepUp = createStepUp(proofs);
    const web: Web = { baseUrl, csrf, createFrame, findViewer, ...verification, sessions, interactions, stepUp };
    const reauthentication = reauthenticateRoute({ ...proofs, baseUrl });
    const app = createFrontApp(options);
    app.use(fallback({ events, isUnavailable, createFrame }));
    app.use(hostPin(baseUrl));
    app.use(shedWhenOverloaded({ accounts, createFrame }));
    app.use(assets.serve);
    app.use(languages.rememberLanguage);
    app.use(rememberOrigin(addressOf));
    app.use(serveLogo(async (name) => await findLogo(db, name)));
    app.use(homeRoute(web));
    app.use(createUserinfo(db, baseUrl, readAccessToken));
    for (const routes of createSignInRoutes({ web, ...common, pending })) app.use(routes);
    for (const routes of createMailLinkRoutes({ web, db, accounts, throttle, events })) app.use(routes);
    const areas = createAreas({ ...oidc, ...common, secretKeys, web, media, wire, isLimited, reauthentication });
    for (const routes of areas) app.use(routes);
    for (const step of oidc.steps) app.use(step);
    const handle = app.callback();
    return (request, response) => void handle(request, response);
  };
}

/** Without a mail server nobody could confirm an address, and nobody has to. */
function createVerificationChecks(
  { mail }: AuthConfig,
  accounts: Pick<Accounts, 'findById' | 'findByUsername'>,
): Pick<Web, 'mustVerifyEmail' | 'isPublisherUnconfirmed'> {
  const isAsked = mail.smtpUrl !== undefined;
  return {
    mustVerifyEmail: async (id) => isAsked && (await accounts.findById(id))?.emailVerifiedAt === null,
    isPublisherUnconfirmed: async (name) => isAsked && (await accounts.findByUsername(name))?.emailVerifiedAt === null,
  };
}

/** An app with what comes first in it, whatever is asked for. */
function createFrontApp({ config, logger, secretKeys }: HandlerOptions): Koa {
  const app = new Koa({ keys: cookieKeys(secretKeys) });
  // Whether cookies may be Secure follows BASE_URL: TLS may end at a proxy.
  const scheme = new URL(config.baseUrl).protocol.slice(0, -1);
  Object.defineProperty(app.request, 'protocol', { get: () => scheme });
  // Whatever reaches this has been answered, or there is nobody left to answer.
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'connection failed'));
  app.use(requestLog(logger));
  app.use(securityHeaders(config.baseUrl));
  return app;
}

/** Gives the feed to one handler after another: changes are told to the latest alone. */
function feedForTheLatest(feed: RevocationFeed): () => RevocationFeed {
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
