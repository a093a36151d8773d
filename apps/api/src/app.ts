import { createAccounts } from '@linnet/accounts/accounts';
import type { Accounts } from '@linnet/accounts/accounts';
import { createRegistrar } from '@linnet/accounts/registrations/registrar';
import { sweepOldUsernames } from '@linnet/accounts/username-store';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import type { Replicas } from '@linnet/db/connection/replicas';
import { recordProxies } from '@linnet/db/connection/untrusted-proxy';
import { pingDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createStatusJob } from '@linnet/db/keep/status-sample-store';
import { sweepExpiredRecords } from '@linnet/db/statement/run-once';
import { createMedia } from '@linnet/media/media';
import type { Media } from '@linnet/media/media';
import { createMediaSignatures, findImageSources } from '@linnet/media/media-address';
import type { MediaSignatures } from '@linnet/media/media-address';
import { rousedBefore } from '@linnet/revocations/feed';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Cache } from '@linnet/service/cache/cache';
import { clientAddress } from '@linnet/service/http/address';
import { hostPin } from '@linnet/service/http/host-pin';
import type { RequestHandler } from '@linnet/service/http/http-server';
import { createProcessChecks, createReadiness } from '@linnet/service/http/readiness';
import type { Readiness } from '@linnet/service/http/readiness';
import { createRequestLog, requestLog } from '@linnet/service/http/request-log';
import type { RequestLog } from '@linnet/service/http/request-log';
import { watchForProxy } from '@linnet/service/http/untrusted-proxy';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';
import type { ObserveOperation } from '@linnet/service/metrics/telemetry';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { isDraftDue, sweepDrafts } from '@linnet/social/draft/draft-store';
import { isOrderDue, orderEvents, sweepEvents } from '@linnet/social/event/event-store';
import { sweepWordFilters } from '@linnet/social/filter/word-filter-store';
import { computeTrends } from '@linnet/social/hashtag/trend-store';
import { sweepMutes } from '@linnet/social/mute/mute-store';
import { sweepNotifications } from '@linnet/social/notification/notification-setting-store';
import { sweepReports } from '@linnet/social/report/report-store';
import { createViewContext } from '@linnet/social/view-context';
import type { ViewContext } from '@linnet/social/view-context';
import Koa from 'koa';

import type { ApiConfig } from './config.ts';
import { createDraftedCalls, createEndpoints } from './endpoints.ts';
import { publishDueDrafts } from './endpoints/drafts.ts';
import { createEventStreams } from './events/event-streams.ts';
import type { EventStreams } from './events/event-streams.ts';
import { serveEvents } from './events/serve-events.ts';
import { createAuthentication } from './http/authentication.ts';
import { createCall } from './http/call.ts';
import type { CallParts } from './http/call.ts';
import { apiResource, mcpResource, resourceMetadata, withSlash } from './http/challenges.ts';
import type { ProtectedResource } from './http/challenges.ts';
import { answerDirectly } from './http/direct-entry.ts';
import type { Sender } from './http/endpoint.ts';
import { answerErrors, createKoaEntry } from './http/koa-entry.ts';
import { createFailureRecord, createFaultLog, createToProblem } from './http/problem.ts';
import { rememberProof, sweepProofs } from './http/proof-store.ts';
import { sweepCounters } from './http/rate-limit-store.ts';
import { createRateLimits, unlimited } from './http/rate-limit.ts';
import type { RateLimits } from './http/rate-limit.ts';
import { createReads } from './http/reads.ts';
import type { Reads } from './http/reads.ts';
import { createResponseWriters } from './http/reply.ts';
import { countRequests, createRequestCounts } from './http/request-count.ts';
import { allowEveryOrigin, responseHeaders } from './http/response-headers.ts';
import { createRouter, rejectUnknownPath } from './http/router.ts';
import { createLinkCardJobs, createTimelineJobs, openTimelines } from './jobs.ts';
import { createPushJobs } from './push/push-job.ts';
import { createPushSettings } from './push/push-message.ts';
import type { PushSettings } from './push/push-message.ts';
import { createVerificationKeys } from './keys/verification-keys.ts';
import type { LoadKeys } from './keys/verification-keys.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { servePublicPages } from './pages/public-pages.tsx';
import { serveReference } from './pages/reference/serve-reference.ts';
import { serveCards, serveDefaultAvatar } from './pages/serve-cards.ts';
import { serveMedia } from './pages/serve-media.ts';
import { keepPartitions } from './partition-store.ts';

export interface ApiDependencies {
  readonly config: ApiConfig;
  readonly db: Db;
  /** Loads the public keys: `loadKeysFromDatabase` or `loadKeysFromUrl`. */
  readonly loadKeys: LoadKeys;
  readonly feed: RevocationFeed;
  readonly logger: Logger;
  /** With CACHE_URL. */
  readonly cache?: Cache | undefined;
  /** With DATABASE_REPLICA_URL; they need a cache. */
  readonly replicas?: Replicas | undefined;
  /** A log of every request to `logger`, if absent. */
  readonly requests?: RequestLog;
  readonly metrics?: Metrics | undefined;
  /** Observes requests to the bucket of media. */
  readonly observeMediaStore?: ObserveOperation | undefined;
}

/** Disposal ends the decoding process and running fetches, and stores the latest usage counts. */
export interface ApiApp extends AsyncDisposable {
  readonly handler: RequestHandler;
  /** Koa without the direct entry in front; tests compare both. */
  readonly completeHandler: RequestHandler;
  readonly readiness: Readiness;
  /** Jobs to run periodically while the server runs. */
  readonly jobs: readonly Job[];
  /** Ends what stays open, so that the server can stop. */
  readonly startDrain: () => void;
  /** Process id of the decoder while it runs. */
  readonly decoderPid: () => number | undefined;
}

const sweepEveryMs = 600_000;
/** After a deletion, the counters of other accounts are updated within this interval plus the run time (decisions D8). */
const deletionsEveryMs = 5000;
const trendsEveryMs = 180_000;
/** Drafts are published at most this long after their time, plus the run time. */
const scheduledEveryMs = 200;
/** Readers see an event at most this long after its commit, plus the run time. */
const eventsEveryMs = 200;

/** Wires the resource server. */
export function createApiApp(dependencies: ApiDependencies): ApiApp {
  const { config, db, loadKeys, feed, logger, metrics, cache } = dependencies;
  const { requests = createRequestLog({ logger, trustedHops: config.trustProxy }) } = dependencies;
  const { createAuth, keys } = createTokenChecks({ config, db, loadKeys, feed, logger, metrics });
  const { rateLimits: isLimited, baseUrl, trustProxy } = config;
  const limits = isLimited ? createRateLimits(db, { ...config, shared: cache?.counts }) : unlimited;
  const media = createMedia({ ...config, observe: dependencies.observeMediaStore }, db, logger);
  const mediaSignatures = createMediaSignatures(config.secretKeys);
  const context = createViewContext(config, mediaSignatures);
  const common = { ...openPeople(db, config), context, push: createPushSettings(config) };
  const timelines = openTimelines(dependencies);
  const endpoints = createEndpoints({ db, ...common, uploads: media.uploads, timelines, limits, isLimited });
  const parts = createCallParts(dependencies, limits);
  const callParts = { ...parts, auth: createAuth(apiResource) };
  const calls = endpoints.map(createCall(callParts));
  const streams = openStreams(dependencies);
  const counts = createRequestCounts(db);
  const mcp = serveMcpPaths({ ...parts, serviceName: config.serviceName, endpoints }, createAuth);
  const onFault = createFaultLog(logger);

  const app = new Koa();
  app.use(requestLog(requests));
  app.use(watchForProxy({ trustProxy, logger, record: (seen) => recordProxies(db, seen) }));
  app.use(countRequests(counts.countCall));
  for (const around of [responseHeaders(), allowEveryOrigin(), answerErrors(parts.toProblem)]) app.use(around);
  app.use(hostPin(config.baseUrl));
  app.use(limits.countOthers);
  app.use(resourceMetadata(baseUrl, [apiResource, mcpResource]));
  app.use(createRouter(calls, createKoaEntry(media.storage.draftDirectory)));
  const publicParts = listPublicParts({ config, db, cache, context, media, mediaSignatures });
  for (const serve of [serveEvents({ ...callParts, streams, requests }), ...mcp, ...publicParts]) app.use(serve);
  app.use(rejectUnknownPath());
  app.on('error', onFault);

  const complete = handleBy(app);
  const checks = createProcessChecks({ keys: () => keys.ready(), feed, media, cache });
  const { countCall } = counts;
  const direct = answerDirectly({ calls, countCall, baseUrl, trustProxy, requests, onFault }, complete);
  return {
    handler: rousedBefore(feed, config.directPath ? direct : complete),
    completeHandler: rousedBefore(feed, complete),
    readiness: createReadiness({ db, ping: () => pingDatabase(db), checks }),
    jobs: [...counts.jobs, ...createJobs({ ...dependencies, ...common, media, checks })],
    decoderPid: () => media.decoderPid(),
    startDrain: () => streams.drain(),
    [Symbol.asyncDispose]: async () => {
      for (const part of [streams, timelines, media]) await part[Symbol.asyncDispose]();
      // The latest counts may be lost, as in a crash.
      await counts.flush().catch((error: unknown) => logger.warn({ err: error }, 'the latest counts were lost'));
    },
  };
}

function openPeople(db: Db, { serviceName, registration: mode, mayPeopleInvite, trustProxy }: ApiConfig) {
  const rules = { serviceName };
  const addressOf = (sender: Sender) => clientAddress(sender, trustProxy);
  const registrar = createRegistrar({ db, mode, mayPeopleInvite, rules });
  return { accounts: createAccounts(db, rules), registrar, addressOf };
}

/** What all calls need, except that the API and `/mcp` have challenges of their own. */
function createCallParts(dependencies: ApiDependencies, limits: RateLimits): Omit<CallParts, 'auth'> {
  const { config, db, logger, metrics } = dependencies;
  const { baseUrl, responseChecks = 'sample' } = config;
  return {
    ...{ db, limits, baseUrl },
    reads: openReads(dependencies),
    writerOf: createResponseWriters(responseChecks, { logger, metrics }),
    toProblem: createToProblem(baseUrl, logger, createFailureRecord({ db, logger })),
  };
}

function handleBy(app: Koa): RequestHandler {
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

/** Undefined without replicas: every call uses `db`. */
function openReads({ db, cache, replicas, metrics }: ApiDependencies): Reads | undefined {
  for (const index of (replicas?.lags() ?? [undefined]).keys()) {
    metrics?.watch('replicaLag', { replica: String(index + 1) }, () => replicas?.lags()[index]);
  }
  if (cache === undefined || replicas === undefined) return undefined;
  return createReads({ db, replicas, cache, metrics });
}

/** The streams of events, which the metrics show. */
function openStreams({ db, feed, logger, metrics }: ApiDependencies): EventStreams {
  const onError = (error: unknown) => logger.warn({ err: error }, 'the events cannot be read');
  const streams = createEventStreams({ db, feed, onError });
  metrics?.watch('streams', {}, () => streams.count());
  metrics?.watch('streamLag', {}, () => streams.lag());
  return streams;
}

interface PublicParts extends Pick<ApiDependencies, 'config' | 'db' | 'cache'> {
  readonly context: ViewContext;
  readonly media: Media;
  readonly mediaSignatures: MediaSignatures;
}

/** What is served without a token. */
function listPublicParts({
  config,
  db,
  cache,
  context,
  media,
  mediaSignatures,
}: PublicParts): readonly Koa.Middleware[] {
  const { media: store, siteLinks, webClient, rateLimits: isLimited, workers, trustProxy } = config;
  return [
    serveReference(config),
    serveDefaultAvatar(),
    serveMedia({ db, storage: media.storage, signatures: mediaSignatures, hasCdn: store.url !== undefined }),
    serveCards({ db, context, cards: media.cards, isLimited, workers, shared: cache?.counts, trustProxy }),
    servePublicPages({ db, context, imageSources: findImageSources(store), siteLinks, webClient }),
  ];
}

/** The endpoint of agents, whose path may have `/` at its end. */
function serveMcpPaths(
  parts: Omit<Parameters<typeof serveMcp>[0], 'resource' | 'auth'>,
  createAuth: ReturnType<typeof createTokenChecks>['createAuth'],
) {
  return [mcpResource, withSlash(mcpResource)].map((resource) =>
    serveMcp({ ...parts, resource, auth: createAuth(resource) }),
  );
}

/** What verifies access tokens. */
function createTokenChecks({ config: { baseUrl }, db, loadKeys, feed, logger, metrics }: ApiDependencies) {
  const keys = createVerificationKeys(loadKeys, {
    onLoadError: (error) => logger.warn({ err: error }, 'signing keys could not be reloaded'),
  });
  feed.onChange(({ kind, id, epoch }) => {
    if (kind === 'key' && epoch !== null) keys.announce(id);
  });
  const createAuth = (resource: ProtectedResource) => {
    const auth = createAuthentication({
      ...{ baseUrl, resource, keys, feed },
      rememberProof: (idSha256, expiresAt) => rememberProof(db, idSha256, expiresAt),
    });
    if (resource === apiResource) metrics?.watchCache('access-tokens', auth.cacheUse);
    return auth;
  };
  return { createAuth, keys };
}

interface JobDependencies extends ApiDependencies {
  readonly push: PushSettings;
  readonly accounts: Accounts;
  readonly context: ViewContext;
  readonly media: Media;
  readonly checks: Readiness;
}

function createJobs({ accounts, context, media, push, checks, ...dependencies }: JobDependencies): readonly Job[] {
  const { config, db } = dependencies;
  const calls = createDraftedCalls(context);
  return [
    ...media.jobs,
    createStatusJob({ db, server: 'api', checks }),
    keepPartitions(dependencies, sweepEveryMs),
    ...createTimelineJobs(db),
    ...createPushJobs({ ...push, db, context }),
    ...createLinkCardJobs(db, config.linkCards ? media.links : undefined),
    {
      name: 'idempotency-sweep',
      everyMs: sweepEveryMs,
      run: async (stopping) => await sweepExpiredRecords(db, stopping),
    },
    {
      name: 'deletions',
      everyMs: deletionsEveryMs,
      run: async (stopping) => await processDeletions({ db, accounts, eraseRegistrations, stopping }),
    },
    { name: 'hashtag-trends', everyMs: trendsEveryMs, run: async () => await computeTrends(db) },
    {
      name: 'event-order',
      everyMs: eventsEveryMs,
      due: isOrderDue,
      run: async (stopping) => await orderEvents(db, stopping),
    },
    { name: 'events', everyMs: sweepEveryMs, run: async (stopping) => await sweepEvents(db, stopping) },
    { name: 'proof-sweep', everyMs: sweepEveryMs, run: async (stopping) => await sweepProofs(db, stopping) },
    { name: 'rate-limit-sweep', everyMs: sweepEveryMs, run: async (stopping) => await sweepCounters(db, stopping) },
    { name: 'old-usernames', everyMs: sweepEveryMs, run: async (stopping) => await sweepOldUsernames(db, stopping) },
    { name: 'notifications', everyMs: sweepEveryMs, run: async (stopping) => await sweepNotifications(db, stopping) },
    { name: 'word-filters', everyMs: sweepEveryMs, run: async (stopping) => await sweepWordFilters(db, stopping) },
    {
      name: 'scheduled-drafts',
      everyMs: scheduledEveryMs,
      due: isDraftDue,
      run: async (stopping) => await publishDueDrafts(db, calls, stopping),
    },
    { name: 'drafts', everyMs: sweepEveryMs, run: async (stopping) => await sweepDrafts(db, stopping) },
    { name: 'mutes', everyMs: sweepEveryMs, run: async (stopping) => await sweepMutes(db, stopping) },
    { name: 'reports', everyMs: sweepEveryMs, run: async (stopping) => await sweepReports(db, stopping) },
  ];
}
