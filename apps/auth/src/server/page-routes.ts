import type { Accounts } from '@linnet/accounts/accounts';
import { createRegistrar } from '@linnet/accounts/registrations/registrar';
import type { Registrar } from '@linnet/accounts/registrations/registrar';
import { findLogo } from '@linnet/applications/application/description-store';
import type { Db } from '@linnet/db/database';
import type { KeyRing } from '@linnet/keys/key-ring';
import type { Media } from '@linnet/media/media';
import { createMediaSignatures, findImageSources } from '@linnet/media/media-address';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Cache } from '@linnet/service/cache/cache';
import type { Secret } from '@linnet/service/config/secret';
import { createViewContext } from '@linnet/social/view-context';
import type Koa from 'koa';

import { adminApi } from '../areas/admin/api/admin-api.ts';
import { importDirectory } from '../areas/account/import-job.ts';
import { createAreas } from '../areas/areas.ts';
import { listenRoute } from '../areas/developer/webhooks/listen-route.ts';
import { streamRoutes } from '../areas/developer/webhooks/stream-routes.ts';
import { serveClient } from '../areas/client/serve-client.ts';
import { frontRoute } from '../areas/front/front.tsx';
import { serveLogo } from '../areas/logos/logos.ts';
import { problemsRoute } from '../areas/problems/problems.tsx';
import type { AuthEvents } from '../audit/events.ts';
import { pagePaths } from '../pages/views/page-paths.ts';
import type { RequestLimits } from '../protocol/limits/request-limits.ts';
import type { Protocol } from '../protocol/protocol.ts';
import { createClaimOnce } from '../protocol/storage/stored-payload.ts';
import type { ReadAccessToken } from '../protocol/token/own-access-token.ts';
import type { Factors } from '../sign-in/factors/factors.ts';
import { findSignInAccount } from '../sign-in/flow/pending-store.ts';
import { createPending } from '../sign-in/flow/pending.ts';
import { createPasswordRoutes } from '../sign-in/mail-links/password-routes.tsx';
import { createVerifyEmailRoutes } from '../sign-in/mail-links/verify-email-route.tsx';
import { refuseClientRegistration } from '../sign-in/register/agent-registration.ts';
import { createRegistrationProofs } from '../sign-in/register/registration-proof.ts';
import { createSignInRoutes } from '../sign-in/sign-in-routes.ts';
import { shedWhenOverloaded } from '../sign-in/standalone/overload.tsx';
import { createStepUp, reauthenticateRoute } from '../sign-in/step-up/step-up.tsx';
import { createUpstream } from '../sign-in/upstream/upstream.ts';
import type { Upstream } from '../sign-in/upstream/upstream.ts';
import { createKeptForms } from '../sign-in/visit/kept-form.ts';
import { atSession } from '../sign-in/visit/session-db-store.ts';
import type { Web } from '../sign-in/visit/web.ts';
import type { Listeners } from '../webhooks/listeners.ts';
import type { AuthConfig } from './config.ts';
import type { PageKit } from './page-kit.ts';

export interface PageRoutesOptions {
  readonly config: AuthConfig;
  readonly db: Db;
  readonly feed: Pick<RevocationFeed, 'status'>;
  readonly secretKeys: readonly [Secret, ...Secret[]];
  /** Signs security events. */
  readonly keyRing: KeyRing;
  readonly accounts: Accounts;
  readonly media: Media;
  readonly factors: Factors;
  readonly events: AuthEvents;
  readonly kit: PageKit;
  /** With CACHE_URL. */
  readonly cache: Pick<Cache, 'marks'> | undefined;
  readonly listeners: Listeners;
  /** Reads tokens for our own API, of which the admin API is a part. */
  readonly readAccessToken: ReadAccessToken;
  readonly limits: RequestLimits;
  readonly protocol: Omit<Protocol, 'middleware' | 'directEndpoints'>;
}

/** The admin API, and everything that people see in a browser, in the order in which it is matched. */
export function createPageRoutes(options: PageRoutesOptions): readonly Koa.Middleware[] {
  const { config, db, secretKeys, accounts, factors, events, kit, protocol } = options;
  const { baseUrl, serviceName, registration: mode, mayPeopleInvite } = config;
  const { passkeys, secondFactor } = factors;
  const { createFrame, throttle, isMailConfigured } = kit;
  const { sessions, endSession, clientChanged, devices, authorizeTestPerson } = protocol;
  const keptForms = createKeptForms(db, kit.csrf);
  const upstream = createProviders(options);
  const proofs = { db, upstream, sessions, accounts, passkeys, secondFactor, throttle, events, keptForms, secretKeys };
  const web = createWeb(options, { stepUp: createStepUp(proofs), keptForms });
  const viewContext = createViewContext(config, createMediaSignatures(secretKeys));
  const exportSource = { db, storage: options.media.storage, context: viewContext };
  const registrar = createRegistrar({ db, mode, mayPeopleInvite, rules: { serviceName } });
  const pending = createPendingSteps(db, { baseUrl, secretKeys });
  return [
    adminApi({ ...options, baseUrl, changed: clientChanged }),
    ...createEventRoutes(options),
    shedWhenOverloaded({ accounts, createFrame }),
    refuseClientRegistration(config),
    kit.assets.serve,
    serveLogo(async (name) => await findLogo(db, name)),
    clientRoute(config),
    frontRoute({ web, db, viewContext, imageSources: findImageSources(config.media) }),
    problemsRoute(web),
    ...createSignInRoutes({
      ...{ web, db, exportSource, accounts, registrar, throttle, events, passkeys, secondFactor, pending },
      ...{ upstream, registrars: createRegistrars(options) },
      ...{ endSession, clientAddress: kit.clientAddress, registrationProofs: createProofs(options) },
    }),
    // The pages behind links in mail. They need no sign-in: the link is the proof.
    createVerifyEmailRoutes({ web, db, accounts, isMailConfigured }),
    createPasswordRoutes({ web, db, accounts, throttle, events, isMailConfigured }),
    ...createAreas({
      web,
      db,
      feed: options.feed,
      accounts,
      ...{ media: options.media, importDirectory: importDirectory(config.dataDir) },
      viewContext,
      exportSource,
      imageSources: findImageSources(config.media),
      throttle,
      events,
      ...{ isLimited: config.rateLimits, workers: config.workers, tokenBounds: config.tokenBounds },
      mediaFetchAllow: config.mediaFetchAllow,
      ...{ passkeys, secondFactor, secretKeys, devices, clientChanged, authorizeTestPerson },
      ...{ proofs, upstream },
      reauthentication: reauthenticateRoute({ ...proofs, baseUrl }),
    }),
  ];
}

/** For applications: to listen for events, and streams of security events. */
function createEventRoutes(options: PageRoutesOptions): readonly Koa.Middleware[] {
  const { baseUrl, mediaFetchAllow: allow } = options.config;
  return [listenRoute({ ...options, baseUrl }), streamRoutes({ ...options, baseUrl, allow })];
}

function createProviders({ config, db, secretKeys }: PageRoutesOptions): Upstream {
  const { baseUrl, signInProviders: providers, mediaFetchAllow: allow } = config;
  const userAgent = `Linnet (+${baseUrl})`;
  return createUpstream({
    ...{ baseUrl, secretKeys, providers, allow, userAgent },
    ...{ claimOnce: createClaimOnce(db), timeoutMs: 5000 },
  });
}

/** The stricter of REGISTRATION and of what a provider says about sign-up. */
function createRegistrars({ config, db }: PageRoutesOptions): ReadonlyMap<string, Registrar> {
  const { registration, mayPeopleInvite, serviceName, signInProviders } = config;
  const modes = ['open', 'approval', 'invitation', 'closed'] as const;
  return new Map(
    signInProviders.map(({ id, signUp }) => {
      const own = signUp === 'none' ? 'closed' : signUp;
      const mode = modes.findLast((one) => one === own || one === registration) ?? 'closed';
      return [id, createRegistrar({ db, mode, mayPeopleInvite, rules: { serviceName } })];
    }),
  );
}

function createProofs({ config, db, secretKeys }: PageRoutesOptions) {
  return config.registrationProof ? createRegistrationProofs(secretKeys, createClaimOnce(db)) : undefined;
}

function clientRoute({ webClient: isOn, baseUrl, serviceName, media, mail }: AuthConfig): Koa.Middleware {
  return serveClient({
    isOn,
    baseUrl,
    serviceName,
    imageSources: findImageSources(media),
    sendsMail: mail.smtpUrl !== undefined,
  });
}

function createWeb(
  { config, db, kit, protocol, cache }: PageRoutesOptions,
  own: Pick<Web, 'stepUp' | 'keptForms'>,
): Web {
  const { csrf, createFrame, findViewer, mustVerifyEmail, isPublisherUnconfirmed, findApplicationFacts } = kit;
  const { sessions, interactions } = protocol;
  return {
    baseUrl: config.baseUrl,
    landing: config.webClient ? pagePaths.client : pagePaths.home,
    ...{ csrf, createFrame, findViewer, mustVerifyEmail, isPublisherUnconfirmed, findApplicationFacts },
    ...{ sessions, interactions, ...own },
    atSession: (sessionUid) => atSession(db, sessionUid),
    // Without the mark, replicas show the write within a second.
    wrote: async (accountId) => await cache?.marks.add(accountId).catch(() => undefined),
  };
}

/** The steps that may follow the password or passkey. */
function createPendingSteps(db: Db, options: { readonly baseUrl: string; readonly secretKeys: readonly Secret[] }) {
  const findAccount = async (accountId: number) => await findSignInAccount(db, accountId);
  return {
    secondFactor: createPending({ ...options, step: 'second_factor', findAccount }),
    restoration: createPending({ ...options, step: 'restoration', findAccount }),
  };
}
