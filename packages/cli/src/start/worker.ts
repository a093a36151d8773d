import { setTimeout as delay } from 'node:timers/promises';

import { createApiApp } from '@linnet/api/app';
import { loadKeysFromDatabase } from '@linnet/api/keys/database-keys-store';
import { createAuthApp } from '@linnet/auth/app';
import { toMailConfig } from '@linnet/auth/mail/mail-config';
import type { Db } from '@linnet/db/database';
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import { openReplicas } from '@linnet/db/connection/replicas';
import type { Replicas } from '@linnet/db/connection/replicas';
import { openConnections } from '@linnet/revocations/connections';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { openCache } from '@linnet/service/cache/cache';
import type { Cache } from '@linnet/service/cache/cache';
import { serve } from '@linnet/service/http/http-server';
import type { Readiness } from '@linnet/service/http/readiness';
import { startJobs, wakeAfterWrites } from '@linnet/service/jobs/jobs';
import { createLogger } from '@linnet/service/log/logger';
import type { Logger } from '@linnet/service/log/logger';
import type { RequestLog } from '@linnet/service/http/request-log';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import type { ServiceConfig } from '@linnet/service/config/server-config';
import { openTelemetry } from '@linnet/service/metrics/telemetry';
import type { ObserveOperation } from '@linnet/service/metrics/telemetry';
import type { Metrics } from '@linnet/service/metrics/metrics';

import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { returnLastConnections } from './passed-connections.ts';
import { mergeReadiness, routeByPath } from './both-servers.ts';
import { answerMetricsRequests, sendMetrics } from './worker-metrics.ts';
import { listenForStop } from './stop-request.ts';
import type { StopRequest } from './stop-request.ts';
import { isSpareWorker, replacedMessage, workerLogDestination } from './worker-settings.ts';

/** Time for requests to finish once the worker no longer listens. */
const finishMs = 6000;
/** How long to wait for connections to close; a broken one may never close. */
const exitDeadlineMs = 1000;
const retryMs = 500;

/** One process of the service: both servers on one port with one connection pool. It ends with the primary. */
async function runWorker(): Promise<void> {
  const stop = listenForStop();
  process.on('message', (message) => message === replacedMessage && stop.request(replacedMessage));
  const config = readConfig();
  const destination = workerLogDestination(process.argv.slice(2));
  const stream = destination === 'stdout' ? process.stdout : process.stderr;
  const { logLevel: level, serviceName: service } = config;
  const logger = createLogger({ level, pretty: stream.isTTY, service, destination });
  const telemetry = await openTelemetry({ observation: config, logger, trustedHops: config.trustProxy, service });
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'uncaught exception'));
  const onError = (error: unknown, message: string) => logger.warn({ err: error }, message);
  const connections = openConnections({ ...databaseOf(config), observe: telemetry.observeStatement, onError });
  const { db, feed } = connections;
  telemetry.watchConnections(connections);
  const urls = config.replicaUrls.map((url) => url.reveal());
  const replicas = openReplicas({ ...databaseOf(config), primary: db, urls, onError });
  const { metrics } = telemetry;
  const cache = await openCache({ url: config.cacheUrl, serviceName: config.serviceName, logger, metrics });
  if (metrics !== undefined) answerMetricsRequests(metrics);
  const served = await retryUntilReachable(
    () => createHandler(config, { db, feed, logger, cache, replicas, ...telemetry }),
    stop,
    logger,
  );
  // Before it listens: a worker that replaces another one must not respond 503 to its first requests.
  await retryUntilReachable(() => feed.ready(), stop, logger);
  if (served !== undefined) {
    metrics?.watchReadiness(served.readiness);
    const jobs = startJobs(served.jobs, {
      ...{ logger, record: metrics?.recordJob, isSpare: isSpareWorker(process.argv.slice(2)) },
      findDue: (queued) => connections.findDue(queued),
    });
    const handler = telemetry.traceRequests(wakeAfterWrites(served.handler, jobs));
    const { baseUrl, host, port } = config;
    const server = await serve({ ...served, ...{ handler, baseUrl, host, port, logger } });
    logger.debug({ port: server.port }, 'worker is listening');
    const isReplaced = (await stop.requested) === replacedMessage;
    const drain = { lingerMs: isReplaced ? 0 : config.drainSeconds * 1000, finishMs, staysReady: isReplaced };
    await Promise.all([server.drain(drain), jobs[Symbol.asyncDispose]()]);
    await returnLastConnections();
    await Promise.all([served.auth[Symbol.asyncDispose](), served.api[Symbol.asyncDispose]()]);
  }
  await cache?.[Symbol.asyncDispose]();
  const closed = Promise.all([connections[Symbol.asyncDispose](), replicas?.[Symbol.asyncDispose]()]);
  await Promise.race([closed, delay(exitDeadlineMs)]);
  if (metrics !== undefined) await sendMetrics(metrics);
  await telemetry[Symbol.asyncDispose]();
  // The channel to the primary is the last thing that keeps the process running.
  process.disconnect();
}

/**
 * Retries `work` while the database is unreachable: exiting would use up the restarts that the primary allows. Returns
 * undefined if the service stops first.
 */
async function retryUntilReachable<Result>(
  work: () => Promise<Result>,
  stop: StopRequest,
  logger: Logger,
): Promise<Result | undefined> {
  while (!stop.isRequested()) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      logger.warn({ err: error }, 'waiting for the database');
      await Promise.race([delay(retryMs), stop.requested]);
    }
  }
  return undefined;
}

/** The primary sets both in the environment of its workers. */
function databaseOf({ databaseUrl, databasePool, databaseSessions }: Config) {
  if (databaseUrl === undefined || databasePool === undefined) throw new Error('the primary did not set the database');
  return { url: databaseUrl.reveal(), poolSize: databasePool, ...databaseSessions };
}

interface Shared {
  readonly db: Db;
  readonly feed: RevocationFeed;
  readonly logger: Logger;
  readonly cache: Cache | undefined;
  readonly replicas: Replicas | undefined;
  readonly requests: RequestLog;
  readonly metrics: Metrics | undefined;
  readonly observeMediaStore: ObserveOperation | undefined;
}

async function createHandler(config: Config, shared: Shared) {
  const { baseUrl, serviceName, dataDir, media, trustProxy, rateLimits, mediaFetchAllow, workers } = config;
  const { smtpUrl, smtpRequireTls, tokenBounds, sitemap, webClient, linkCards } = config;
  const { dynamicRegistration, registrationsPerHour, clientIdMetadataDocuments, registrationProof } = config;
  const { securityContact, siteLinks, signInProviders, directPath, apiExplorer, registration, mayPeopleInvite } =
    config;
  const secretKeys = await resolveSecretKeys(config);
  const limits = { trustProxy, rateLimits, workers };
  const switches = { directPath, apiExplorer, registration, mayPeopleInvite };
  const service: ServiceConfig = { baseUrl, serviceName, dataDir, media, secretKeys, ...switches, ...limits };
  const mail = toMailConfig({ smtpUrl, smtpRequireTls, from: config.mailFrom, dataDir, baseUrl });
  const auth = await createAuthApp({
    config: {
      ...{
        ...service,
        mail,
        mediaFetchAllow,
        securityContact,
        siteLinks,
        signInProviders,
        tokenBounds,
        sitemap,
        webClient,
      },
      ...{ dynamicRegistration, registrationsPerHour, clientIdMetadataDocuments, registrationProof },
    },
    ...shared,
  });
  const api = createApiApp({
    config: { ...service, mediaFetchAllow, siteLinks, webClient, linkCards },
    loadKeys: loadKeysFromDatabase(shared.db),
    ...shared,
  });
  const readiness: Readiness = mergeReadiness([auth.readiness, () => api.readiness()]);
  const jobs = [...auth.jobs, ...api.jobs];
  const startDrain = () => {
    for (const app of [auth, api]) app.startDrain();
  };
  return { handler: routeByPath(auth.handler, api.handler), readiness, startDrain, jobs, auth, api };
}

await runWorker();
