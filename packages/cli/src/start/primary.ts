import { setTimeout as delay } from 'node:timers/promises';

import { ensureSigningKeys } from '@linnet/keys/key-changes-store';
import { openDatabase } from '@linnet/db/database';
import { applyMigrations, migrationsDirectory } from '@linnet/db/migration/migrations';
import { choosePoolSize } from '@linnet/db/connection/pool-size';
import type { Logger } from '@linnet/service/log/logger';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { findSmtpRisk } from '@linnet/service/process/smtp-safety';
import { version } from '@linnet/service/config/version';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { claimInstance } from '../instance/instance-lock.ts';
import { checkPort } from './port.ts';
import type { Progress } from './progress.ts';
import { openServiceDatabase } from './service-database.ts';
import type { ServiceDatabase } from './service-database.ts';
import type { StopRequest } from './stop-request.ts';
import { startWorkers } from './worker-pool.ts';
import type { WorkerPool } from './worker-pool.ts';
import { logDestinationArgument } from './worker-settings.ts';

export interface PrimaryOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly logDestination: 'stdout' | 'stderr';
  readonly stop: StopRequest;
  readonly progress: Progress;
  /** Called when all workers are listening. */
  readonly onReady: (baseUrl: string) => void;
}

/**
 * Time for workers to finish their requests, after DRAIN_SECONDS. Without those, and with the shutdown of PostgreSQL,
 * stopping takes less than 10 s.
 */
const workersDeadlineMs = 7500;

/**
 * Runs the service until a stop is requested.
 * @throws CommandError, ConfigurationError, MigrationError, EmbeddedPostgresError if it cannot start
 */
export async function runService(options: PrimaryOptions): Promise<void> {
  const { config, logger, logDestination, stop, progress, onReady } = options;
  await using instance = await claimInstance(config.dataDir);
  const port = await checkPort(config);
  const baseUrl = config.port === 0 ? config.baseUrl.replace(/:0$/, `:${String(port)}`) : config.baseUrl;
  if (config.databaseUrl === undefined) progress('postgres');
  await using database = await openServiceDatabase(config, logger);
  progress('migrations');
  const poolSize = await prepareDatabase(config, database);
  warnOfRisks(config, logger);
  await using _management = await serveMetrics(config, port, logger);
  if (stop.isRequested()) return;
  const renewal = createRenewal(stop, logger, async () => await workers.restart(workersDeadlineMs));
  progress('workers');
  const workers = startWorkers({
    count: config.workers,
    env: {
      PORT: String(port),
      BASE_URL: baseUrl,
      DATABASE_URL: database.url,
      DATABASE_URL_FILE: '',
      DATABASE_POOL: String(poolSize),
      DATABASE_PREPARE: toOnOff(database.sessions.prepare),
      DATABASE_STARTUP_OPTIONS: toOnOff(database.sessions.startupOptions),
      DATA_DIR: config.dataDir,
      WORKERS: String(config.workers),
      LOG_LEVEL: config.logLevel,
    },
    args: [logDestinationArgument(logDestination)],
    logger,
    onStarved: () => void renewal.run(),
  });
  const failure = workers.failed.then(reportDeadWorkers);
  const reload = () => void replaceWorkers(workers, logger);
  process.on('SIGUSR2', reload);
  try {
    await Promise.race([workers.ready, stop.requested, failure]);
    if (!stop.isRequested()) {
      await instance.announce();
      onReady(baseUrl);
    }
    logger.info({ reason: await Promise.race([stop.requested, failure]) }, 'stopping');
  } finally {
    process.off('SIGUSR2', reload);
    await workers.stop(config.drainSeconds * 1000 + workersDeadlineMs);
  }
}

/** @throws CommandError always */
function reportDeadWorkers(): never {
  throw new CommandError(
    'workers',
    'The service stopped: every worker died five times within a minute. The log lines above show why.',
  );
}

function warnOfRisks(config: Config, logger: Logger): void {
  if (!config.rateLimits) logger.warn('RATE_LIMITS is off: requests and password attempts are not limited');
  const smtpRisk = findSmtpRisk(config);
  if (smtpRisk !== undefined) logger.warn(smtpRisk);
}

function toOnOff(value: boolean): 'on' | 'off' {
  return value ? 'on' : 'off';
}

/** Serves the metrics of all workers, if they are on. */
async function serveMetrics(config: Config, publicPort: number, logger: Logger) {
  const { managementPort: port, managementHost: host } = config;
  if (port === undefined) return undefined;
  const [{ startManagementServer }, { collectWorkerMetrics }] = await Promise.all([
    import('@linnet/service/metrics/management-server'),
    import('./worker-metrics.ts'),
  ]);
  return await startManagementServer({ host, port, publicPort, read: collectWorkerMetrics(), logger });
}

async function replaceWorkers(workers: WorkerPool, logger: Logger): Promise<void> {
  if (await workers.restart(workersDeadlineMs)) logger.info('the workers were replaced');
  else logger.error('the new workers did not start; the previous ones keep running');
}

const renewalPauseMs = 1000;

/** Replaces workers that cannot receive connections. While file descriptors are short this fails, and is repeated. */
function createRenewal(stop: StopRequest, logger: Logger, restart: () => Promise<boolean>) {
  let running: Promise<void> | undefined;
  const renew = async () => {
    logger.error('a worker had no file descriptor for a connection; replacing the workers');
    while (!stop.isRequested() && !(await restart())) await delay(renewalPauseMs);
  };
  return { run: () => (running ??= renew().finally(() => (running = undefined))) };
}

/** Applies migrations, creates signing keys, checks the time zone. Returns the pool size of each worker. */
async function prepareDatabase(config: Config, database: ServiceDatabase): Promise<number> {
  const secretKeys = await resolveSecretKeys(config);
  // No other service has the embedded PostgreSQL, so everything can be applied.
  const scope = database.isEmbedded ? {} : { besidePrevious: version };
  await applyMigrations(database.directUrl, migrationsDirectory, scope);
  await using db = openDatabase({ url: database.url, poolSize: 1, ...database.sessions });
  await ensureSigningKeys(db, secretKeys);
  const share = await choosePoolSize(db, config.workers);
  return config.databasePool ?? share;
}
