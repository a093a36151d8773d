import { describeDatabaseProblem, requireServer } from '@linnet/db/connection/startup-problem';
import { SecretKeysChanged } from '@linnet/keys/signing-key';
import { ensureSigningKeys } from '@linnet/keys/key-changes-store';
import { openConnections } from '@linnet/revocations/connections';
import { openCache } from '@linnet/service/cache/cache';
import { createLogger } from '@linnet/service/log/logger';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { runServerProcess, serveUntilSignal } from '@linnet/service/process/server-process';
import { openTelemetry } from '@linnet/service/metrics/telemetry';
import { version } from '@linnet/service/config/version';
import { findSmtpRisk } from '@linnet/service/process/smtp-safety';

import { createAuthApp } from './app.ts';
import { readAuthConfig } from './server/config.ts';

/** Runs the authorization server as its own process. */
async function serveAuth(signal: Promise<string>): Promise<void> {
  const config = readAuthConfig();
  const { app: settings, database } = config;
  const url = database.url.reveal();
  const directUrl = database.directUrl.reveal();
  const poolSize = await requireServer({ ...database, url, directUrl, workers: settings.workers, release: version });
  const secretKeys = await resolveSecretKeys(settings);
  const service = `${settings.serviceName}-auth`;
  const logger = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY, service });
  const { trustProxy: trustedHops } = settings;
  await using telemetry = await openTelemetry({ observation: config, logger, trustedHops, service });
  const { metrics, requests, observeMediaStore, observeStatement: observe } = telemetry;
  const onError = (error: unknown, message: string) => logger.warn({ err: error }, message);
  const smtpRisk = findSmtpRisk(settings.mail);
  if (smtpRisk !== undefined) logger.warn(smtpRisk);
  await using connections = openConnections({ ...database, url, poolSize, observe, onError });
  telemetry.watchConnections(connections);
  const { db, feed } = connections;
  await ensureSigningKeys(db, secretKeys);
  await using cache = await openCache({ url: config.cacheUrl, serviceName: settings.serviceName, logger, metrics });
  await using app = await createAuthApp({
    ...{ config: { ...settings, secretKeys }, db, feed, logger, cache },
    ...{ requests, metrics, observeMediaStore },
  });
  await serveUntilSignal(app, {
    name: 'authorization server',
    config,
    logger,
    telemetry,
    findDue: (jobs) => connections.findDue(jobs),
    signal,
  });
}

await runServerProcess({
  serve: serveAuth,
  describeProblem: (error) => (error instanceof SecretKeysChanged ? error.message : describeDatabaseProblem(error)),
});
