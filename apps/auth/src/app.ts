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
import { sweepApplicationUsage, tallyApplicationUsage } from '@linnet/usage/application-usage-store';
import type { ApplicationUsage } from '@linnet/usage/application-usage-store';
import type { Tally } from '@linnet/usage/tally';
import Koa from 'koa';

import { findLogo } from './applications/description-store.ts';
import { sweepEndedSecrets, tallySecretUse } from './applications/secret-use-store.ts';
import type { SecretUse } from './applications/secret-use-store.ts';
import { createAreas } from './areas.ts';
import { auditEvents } from './audit/audited-events.ts';
import { createSealer } from './audit/seal-store.ts';
import type { AuthConfig } from './config.ts';
import { createEvents } from './events.ts';
import { endDueGrants } from './grants/consent-change-store.ts';
import { createCsrf } from './http/csrf.ts';
import { createFactors } from './factors/factors.ts';
import type { Factors } from './factors/factors.ts';
import { sweepFailures } from './failures/failure-store.ts';
import { recordFailures } from './failures/recorded-events.ts';
import { countTokens } from './usage/counted-events.ts';
import { fallback } from './http/fallback.tsx';
import { homeRoute } from './http/home.ts';
import { createLanguages } from './http/language.ts';
import { createOidcRenderers } from './http/oidc-pages.tsx';
import { createFrameFactory } from './http/page-frame.ts';
import { pageScripts, pageStyles } from './http/page-styles.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createThrottle, unlimited } from './http/throttle.ts';
import type { Web } from './http/web.ts';
import { shedWhenOverloaded } from './interactions/overload.tsx';
import { createPending } from './interactions/second-factor/pending.ts';
import { findEpoch } from './interactions/second-factor/pending-store.ts';
import { createSignInRoutes } from './interactions/sign-in-routes.ts';
import { reauthenticateRoute } from './interactions/step-up/reauthenticate-route.tsx';
import { createStepUp } from './interactions/step-up/step-up.tsx';
import type { KeyRing } from './keys/key-ring.ts';
import { serveLogo } from './logos/serve-logo.ts';
import { countUsableKeys } from './keys/key-store.ts';
import { createLiveKeyRing } from './keys/live-key-ring.ts';
import { createMailLinkRoutes } from './mail-links/mail-link-routes.ts';
import { sweepMailFiles } from './mail/kept-files.ts';
import { sweepLinks } from './mail/link-store.ts';
import { createMailJob } from './mail/mail-job.ts';
import { cookieKeys } from './oidc/cookies.ts';
import { createMarkOnce } from './oidc/mark-once.ts';
import { createAccessTokenReader } from './oidc/own-access-token.ts';
import type { ReadAccessToken } from './oidc/own-access-token.ts';
import { sweepExpired } from './oidc/expired-store.ts';
import { createOidc } from './oidc/provider.ts';
import { rememberOrigin } from './oidc/request-origin.ts';
import { sweepRuns } from './playground/run-store.ts';
import { userinfoRoute } from './userinfo/userinfo-route.ts';
import { findPerson } from './userinfo/userinfo-store.ts';

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
  const secretUse = tallySecretUse(db);
  const usage = tallyApplicationUsage(db);
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
  readonly secretUse: Tally<SecretUse>;
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
