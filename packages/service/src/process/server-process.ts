import { inspect } from 'node:util';

import { ConfigurationError } from '../config/configuration-error.ts';
import { serve } from '../http/http-server.ts';
import type { RequestHandler } from '../http/http-server.ts';
import { startJobs, wakeAfterWrites } from '../jobs/jobs.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Job } from '../jobs/job.ts';
import type { Logger } from '../log/logger.ts';
import type { Observation } from '../config/observation-variables.ts';
import type { ProcessConfig, ServiceConfig } from '../config/server-config.ts';
import { serveOwnMetrics } from '../metrics/telemetry.ts';
import type { Telemetry } from '../metrics/telemetry.ts';

interface ServerProcess {
  /** Serves until `signal` is fulfilled (with SIGTERM or SIGINT), then drains. */
  readonly serve: (signal: Promise<string>) => Promise<void>;
  /** Returns one line about a failure that an operator can fix, and `undefined` for a bug. */
  readonly describeProblem: (error: unknown) => string | undefined;
}

/** Runs a server until a signal, with exit status 0. If it fails, prints one message to stderr and exits with status 1. */
export async function runServerProcess(options: ServerProcess): Promise<void> {
  const { promise: signal, resolve } = Promise.withResolvers<string>();
  for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => resolve(name));
  try {
    await options.serve(signal);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${describeStartProblem(error) ?? options.describeProblem(error) ?? inspect(error)}\n`);
  }
}

interface ServedApp {
  readonly handler: RequestHandler;
  readonly readiness: Readiness;
  readonly jobs: readonly Job[];
  readonly startDrain?: (() => void) | undefined;
}

interface ServeOptions {
  /** For the log. */
  readonly name: string;
  readonly config: Pick<ProcessConfig, 'host' | 'port' | 'drainSeconds'> &
    Observation & { readonly app: Pick<ServiceConfig, 'baseUrl' | 'rateLimits'> };
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** As for `startJobs`. */
  readonly findDue: Parameters<typeof startJobs>[1]['findDue'];
  readonly signal: Promise<string>;
}

/** Time for requests to finish once the server no longer listens. */
const finishMs = 8000;

/** Serves an app and runs its jobs until the signal, then drains. */
export async function serveUntilSignal(app: ServedApp, options: ServeOptions): Promise<void> {
  const { name, config, logger, signal, findDue } = options;
  const { host, port, drainSeconds } = config;
  const { baseUrl, rateLimits } = config.app;
  const { metrics, traceRequests } = options.telemetry;
  if (!rateLimits) logger.warn('RATE_LIMITS is off: requests and password attempts are not limited');
  const { readiness, startDrain } = app;
  await using _management = await serveOwnMetrics({
    observation: config,
    metrics,
    publicPort: port,
    logger,
    readiness,
  });
  await using jobs = startJobs(app.jobs, { logger, record: metrics?.recordJob, findDue, isSpare: false });
  const handler = traceRequests(wakeAfterWrites(app.handler, jobs));
  const server = await serve({ handler, readiness, startDrain, baseUrl, host, port, logger });
  logger.info({ port: server.port, baseUrl }, `${name} is listening`);
  logger.info({ signal: await signal }, 'draining');
  await server.drain({ lingerMs: drainSeconds * 1000, finishMs });
}

function describeStartProblem(error: unknown): string | undefined {
  if (error instanceof ConfigurationError) return error.message;
  const isListenError = error instanceof Error && Reflect.get(error, 'syscall') === 'listen';
  return isListenError ? `HOST, PORT: ${error.message}` : undefined;
}
