import { createAccounts } from '@linnet/accounts/accounts';
import { bufferSecretUse } from '@linnet/applications/secrets/secret-store';
import { bufferApplicationUsage } from '@linnet/applications/usage/application-usage-store';
import type { ApplicationUsage } from '@linnet/applications/usage/application-usage-store';
import { findRecordedProxies, recordProxies } from '@linnet/db/connection/untrusted-proxy';
import type { Db } from '@linnet/db/database';
import { countUsableKeys } from '@linnet/keys/key-store';
import { createLiveKeyRing } from '@linnet/keys/live-key-ring';
import { createMedia } from '@linnet/media/media';
import { rousedBefore } from '@linnet/revocations/feed';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Cache } from '@linnet/service/cache/cache';
import type { Secret } from '@linnet/service/config/secret';
import type { RequestHandler } from '@linnet/service/http/http-server';
import { createProcessChecks, createReadiness } from '@linnet/service/http/readiness';
import type { Readiness } from '@linnet/service/http/readiness';
import { createRequestLog } from '@linnet/service/http/request-log';
import type { RequestLog } from '@linnet/service/http/request-log';
import { findProxyMistake } from '@linnet/service/http/untrusted-proxy';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';
import type { ObserveOperation } from '@linnet/service/metrics/telemetry';

import { auditEvents } from './audit/audited-events.ts';
import { countEvents, countTokens } from './audit/event-metrics.ts';
import { createEvents } from './audit/events.ts';
import type { AuthEvents } from './audit/events.ts';
import { recordFailures } from './protocol/failures/recorded-events.ts';
import { currentOrigin } from './protocol/session/session.ts';
import type { AuthConfig } from './server/config.ts';
import { createHandlerFactory, keepNewest } from './server/handler.ts';
import { createJobs } from './server/jobs.ts';
import { watchQueues } from './server/queue-store.ts';
import { createFactors } from './sign-in/factors/factors.ts';
import { createListeners } from './webhooks/listeners.ts';

/** Disposing stops the image decoder and stores the last counts; call it after the last request. */
export interface AuthApp extends AsyncDisposable {
  readonly handler: RequestHandler;
  readonly readiness: Readiness;
  /** Ends requests that wait for events. */
  readonly startDrain: () => void;
  /** To be started with `startJobs` while the server runs. */
  readonly jobs: readonly Job[];
}

export interface AuthAppOptions {
  readonly config: AuthConfig;
  readonly db: Db;
  readonly feed: RevocationFeed;
  readonly logger: Logger;
  /** With CACHE_URL. */
  readonly cache?: Cache | undefined;
  /** A log of every request to `logger`, if absent. */
  readonly requests?: RequestLog;
  readonly metrics?: Metrics | undefined;
  /** Observes requests to the bucket of media. */
  readonly observeMediaStore?: ObserveOperation | undefined;
}

/**
 * The authorization server as a request handler. Call `ensureSigningKeys` first.
 * @throws SecretKeysChanged when SECRET_KEYS cannot decrypt the signing keys.
 */
export async function createAuthApp(options: AuthAppOptions): Promise<AuthApp> {
  const { config, db, feed, logger, metrics, cache } = options;
  const { requests = createRequestLog({ logger, trustedHops: config.trustProxy }) } = options;
  const { baseUrl, serviceName } = config;
  const secretKeys = requireKeys(config.secretKeys);
  const mistake = findProxyMistake(config.trustProxy, (await findRecordedProxies(db)) ?? 0);
  if (mistake !== undefined) logger.warn(mistake);
  // Images are uploaded in forms here and never fetched from a URL. The API server sweeps them.
  const media = createMedia({ ...config, mediaFetchAllow: [], observe: options.observeMediaStore }, db, logger);
  const factors = createFactors({ db, baseUrl, serviceName, secretKeys });
  const secretUse = bufferSecretUse(db);
  const usage = bufferApplicationUsage(db);
  const accounts = createAccounts(db, { serviceName });
  const events = createRecordedEvents({ db, logger, usage, metrics });
  const listeners = createListeners({ db, feed });
  const createHandler = createHandlerFactory({
    ...{ config, db, feed, logger, requests, cache, listeners },
    secretKeys,
    accounts,
    media,
    factors,
    events,
    secretUse,
    recordProxies: (seen) => recordProxies(db, seen),
  });
  if (metrics !== undefined) watchQueues(metrics, db);
  const newest = keepNewest(createHandler);
  const signingKeys = await createLiveKeyRing({
    db,
    secretKeys,
    feed,
    use: newest.use,
    onError: (error) => logger.warn({ err: error }, 'signing keys could not be reloaded'),
  });
  const storeCounts = async () => void (await Promise.all([secretUse.flush(), usage.flush()]));
  // The app is created with its keys loaded.
  const checks = createProcessChecks({ keys: async () => {}, feed, media, cache });
  return {
    handler: rousedBefore(feed, newest.handler),
    startDrain: () => listeners.startDrain(),
    readiness: createReadiness({ db, ping: async () => await countUsableKeys(db), checks }),
    jobs: createJobs({
      ...{ config, db, logger, media, secretKeys, signingKeys, storeCounts, events, metrics },
      ...{ keyRing: newest.keyRing, secondFactor: factors.secondFactor, checks },
    }),
    [Symbol.asyncDispose]: async () => {
      await media[Symbol.asyncDispose]();
      // The last counts may be lost, as in a crash.
      await storeCounts().catch((error: unknown) => logger.warn({ err: error }, 'the last counts were not stored'));
    },
  };
}

interface RecordedEventsOptions {
  readonly db: Db;
  readonly logger: Logger;
  readonly usage: ApplicationUsage;
  readonly metrics: Metrics | undefined;
}

/** Events go to the log, the audit log, the owner's request log and the usage counters. */
function createRecordedEvents({ db, logger, usage, metrics }: RecordedEventsOptions): AuthEvents {
  const audited = auditEvents(createEvents(logger), { db, logger, currentAddress });
  const events = countTokens(recordFailures(audited, { db, logger }), usage);
  return metrics === undefined ? events : countEvents(events, metrics);
}

const currentAddress = () => currentOrigin().address;

function requireKeys([first, ...others]: readonly Secret[]): readonly [Secret, ...Secret[]] {
  if (first === undefined) throw new RangeError('the authorization server needs SECRET_KEYS');
  return [first, ...others];
}
