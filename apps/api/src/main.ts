import { describeDatabaseProblem, requireServer } from '@linnet/db/connection/startup-problem';
import { openReplicas } from '@linnet/db/connection/replicas';
import { openConnections } from '@linnet/revocations/connections';
import { openCache } from '@linnet/service/cache/cache';
import { createLogger } from '@linnet/service/log/logger';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { runServerProcess, serveUntilSignal } from '@linnet/service/process/server-process';
import { openTelemetry } from '@linnet/service/metrics/telemetry';
import { version } from '@linnet/service/config/version';

import { createApiApp } from './app.ts';
import { readApiConfig } from './config.ts';
import { loadKeysFromUrl } from './keys/remote-keys.ts';

/** Runs the API server as its own process. */
async function serveApi(signal: Promise<string>): Promise<void> {
  const config = readApiConfig();
  const { app: settings, database, jwksUrl } = config;
  const url = database.url.reveal();
  const directUrl = database.directUrl.reveal();
  const poolSize = await requireServer({ ...database, url, directUrl, workers: settings.workers, release: version });
  const service = `${settings.serviceName}-api`;
  const logger = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY, service });
  const { trustProxy: trustedHops } = settings;
  await using telemetry = await openTelemetry({ observation: config, logger, trustedHops, service });
  const { metrics, requests, observeMediaStore, observeStatement: observe } = telemetry;
  const onError = (error: unknown, message: string) => logger.warn({ err: error }, message);
  await using connections = openConnections({ ...database, url, poolSize, observe, onError });
  telemetry.watchConnections(connections);
  const { db, feed } = connections;
  const urls = config.replicaUrls.map((replica) => replica.reveal());
  await using replicas = openReplicas({ ...database, primary: db, urls, poolSize, onError });
  await using cache = await openCache({ url: config.cacheUrl, serviceName: settings.serviceName, logger, metrics });
  const secretKeys = await resolveSecretKeys(settings);
  const loadKeys = loadKeysFromUrl(jwksUrl, telemetry.outgoingHeaders);
  await using app = createApiApp({
    config: { ...settings, secretKeys },
    db,
    loadKeys,
    feed,
    logger,
    cache,
    replicas,
    requests,
    metrics,
    observeMediaStore,
  });
  await serveUntilSignal(app, {
    name: 'API server',
    config,
    logger,
    telemetry,
    findDue: (jobs) => connections.findDue(jobs),
    signal,
  });
}

await runServerProcess({ serve: serveApi, describeProblem: describeDatabaseProblem });
