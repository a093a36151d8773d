/** What observes a process: its request log, and metrics and traces if they are on. What is off is not even loaded. */
import { setTimeout as delay } from 'node:timers/promises';

import type { RequestHandler } from '../http/http-server.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Logger } from '../log/logger.ts';
import type { ManagementOptions, ManagementServer } from './management-server.ts';
import type { EndStatement, Metrics } from './metrics.ts';
import type { watchConnections } from './watch-connections.ts';
import type { Observation } from '../config/observation-variables.ts';
import { createRequestLog } from '../http/request-log.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** Disposal sends the last traces. */
export interface Telemetry extends AsyncDisposable {
  /** Undefined without MANAGEMENT_PORT. */
  readonly metrics: Metrics | undefined;
  readonly requests: RequestLog;
  /** Puts a span around each request, if traces are on. */
  readonly traceRequests: (handler: RequestHandler) => RequestHandler;
  /** Headers for requests to other servers of the service. */
  readonly outgoingHeaders: () => Readonly<Record<string, string>>;
  /** For `observe` of a database. */
  readonly observeStatement: ObserveOperation | undefined;
  /** For requests to the bucket of media. */
  readonly observeMediaStore: ObserveOperation | undefined;
  /** Shows the connections of the process in its metrics. */
  readonly watchConnections: (connections: Parameters<typeof watchConnections>[1]) => void;
}

/** How long a process that stops waits for the receiver of traces. */
const lastTracesMs = 1000;

interface TelemetryOptions {
  readonly observation: Observation;
  readonly logger: Logger;
  /** TRUST_PROXY. */
  readonly trustedHops: number;
  /** The name of the process in traces, unless OTEL_SERVICE_NAME is set. */
  readonly service: string;
}

export async function openTelemetry({
  observation,
  logger,
  trustedHops,
  service,
}: TelemetryOptions): Promise<Telemetry> {
  const loaded = observation.managementPort === undefined ? undefined : await loadMetrics();
  const metrics = loaded?.createMetrics();
  const tracing = await loadTracing(observation, service);
  const currentTraceId = tracing?.currentTraceId;
  const sample = observation.logSample;
  const onFinished = metrics?.recordRequest;
  const requests = createRequestLog({ logger, trustedHops, sample, onFinished, currentTraceId });
  return {
    metrics,
    requests,
    traceRequests: (handler) => tracing?.traceRequests(handler, requests) ?? handler,
    outgoingHeaders: () => tracing?.outgoingHeaders() ?? {},
    observeStatement: observeBoth(metrics?.startStatement, tracing?.startStatement),
    observeMediaStore: observeBoth(metrics?.startStoreRequest, tracing?.startStoreRequest),
    [Symbol.asyncDispose]: async () => {
      await Promise.race([tracing?.[Symbol.asyncDispose](), delay(lastTracesMs, undefined, { ref: false })]);
    },
    watchConnections: (connections) => {
      if (metrics !== undefined) loaded?.watchConnections(metrics, connections);
    },
  };
}

async function loadTracing({ tracing: settings }: Observation, service: string): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined;
  const { startTracing } = await import('../tracing/tracing.ts');
  return startTracing({ settings, service });
}

/** Observes an operation from its start; the function that it returns is called at its end. */
export type ObserveOperation = (name: string) => EndStatement;

function observeBoth(
  first: ObserveOperation | undefined,
  second: ObserveOperation | undefined,
): ObserveOperation | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (name) => {
    const [endFirst, endSecond] = [first(name), second(name)];
    return (error) => {
      endFirst(error);
      endSecond(error);
    };
  };
}

async function loadMetrics() {
  const [{ createMetrics }, { watchConnections }] = await Promise.all([
    import('./metrics.ts'),
    import('./watch-connections.ts'),
  ]);
  return { createMetrics, watchConnections };
}

interface OwnMetricsOptions extends Pick<ManagementOptions, 'publicPort' | 'logger'> {
  readonly observation: Observation;
  readonly metrics: Metrics | undefined;
  readonly readiness: Readiness;
}

/** Serves the metrics of this process alone, if they are on. @throws ConfigurationError if the port cannot be used. */
export async function serveOwnMetrics(options: OwnMetricsOptions): Promise<ManagementServer | undefined> {
  const { metrics, observation, publicPort, logger, readiness } = options;
  const { managementPort: port, managementHost: host } = observation;
  if (metrics === undefined || port === undefined) return undefined;
  const { startManagementServer, toOwnText } = await import('./management-server.ts');
  metrics.watchReadiness(readiness);
  const read = async () => await toOwnText(await metrics.read());
  return await startManagementServer({ host, port, publicPort, read, logger });
}
