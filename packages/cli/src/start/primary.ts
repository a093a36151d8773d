import { setTimeout as delay } from 'node:timers/promises';

import { createLogger } from '@linnet/service/log/logger';
import type { Logger } from '@linnet/service/log/logger';

import { CommandError } from '../failure.ts';
import { claimInstance } from '../instance/instance-lock.ts';
import { checkPort } from './port.ts';
import { startPreparation } from './prepare.ts';
import type { Settings } from './preparation-messages.ts';
import type { Progress } from './progress.ts';
import { openServiceDatabase } from './service-database.ts';
import type { StopRequest } from './stop-request.ts';
import { startWorkers } from './worker-pool.ts';
import type { WorkerPool } from './worker-pool.ts';
import { logDestinationArgument } from './worker-settings.ts';

export interface PrimaryOptions {
  /** Environment variables added to those of this process. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly logDestination: 'stdout' | 'stderr';
  readonly stop: StopRequest;
  readonly progress: Progress;
  /** Called when all workers are listening. */
  readonly onReady: (baseUrl: string, logger: Logger) => void;
}

/**
 * Time for workers to finish their requests, after DRAIN_SECONDS. Without those, and with the shutdown of PostgreSQL,
 * stopping takes less than 10 s.
 */
const workersDeadlineMs = 7500;

/**
 * Runs the service until a stop is requested.
 * @throws CommandError, EmbeddedPostgresError if it cannot start
 */
export async function runService(options: PrimaryOptions): Promise<void> {
  const { variables = {}, logDestination, stop, progress, onReady } = options;
  using preparation = await startPreparation(variables);
  const { settings } = preparation;
  const logger = openLog(settings, logDestination);
  await using instance = await claimInstance(settings.dataDir);
  const port = await checkPort(settings);
  const baseUrl = settings.port === 0 ? settings.baseUrl.replace(/:0$/, `:${String(port)}`) : settings.baseUrl;
  if (settings.databaseUrl === undefined) progress('postgres');
  await using database = await openServiceDatabase(settings, logger);
  progress('migrations');
  const poolSize = await preparation.prepare(database);
  for (const risk of settings.risks) logger.warn(risk);
  await using _management = await serveMetrics(settings, port, logger);
  if (stop.isRequested()) return;
  const renewal = createRenewal(stop, logger, async () => await workers.restart(workersDeadlineMs));
  progress('workers');
  const workers = startWorkers({
    count: settings.workers,
    env: {
      PORT: String(port),
      BASE_URL: baseUrl,
      DATABASE_URL: database.url,
      DATABASE_URL_FILE: '',
      DATABASE_POOL: String(poolSize),
      DATABASE_PREPARE: toOnOff(database.sessions.prepare),
      DATABASE_STARTUP_OPTIONS: toOnOff(database.sessions.startupOptions),
      DATA_DIR: settings.dataDir,
      WORKERS: String(settings.workers),
      LOG_LEVEL: settings.logLevel,
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
      onReady(baseUrl, logger);
    }
    logger.info({ reason: await Promise.race([stop.requested, failure]) }, 'stopping');
  } finally {
    process.off('SIGUSR2', reload);
    await workers.stop(settings.drainSeconds * 1000 + workersDeadlineMs);
  }
}

/** @throws CommandError always */
function reportDeadWorkers(): never {
  throw new CommandError(
    'workers',
    'The service stopped: every worker died five times within a minute. The log lines above show why.',
  );
}

function openLog({ logLevel: level, serviceName: service }: Settings, destination: 'stdout' | 'stderr'): Logger {
  return createLogger({ level, pretty: process[destination].isTTY, service, destination });
}

function toOnOff(value: boolean): 'on' | 'off' {
  return value ? 'on' : 'off';
}

/** Serves the metrics of all workers, if they are on. */
async function serveMetrics(settings: Settings, publicPort: number, logger: Logger) {
  const { managementPort: port, managementHost: host } = settings;
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
