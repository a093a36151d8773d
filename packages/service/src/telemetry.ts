/** What observes a process: its request log, and metrics if they are on. What is off is not even loaded. */
import type { Logger } from './logger.ts';
import type { ManagementOptions, ManagementServer } from './metrics/management-server.ts';
import type { EndStatement, Metrics } from './metrics/metrics.ts';
import type { watchConnections } from './metrics/watch-connections.ts';
import type { Observation } from './observation-variables.ts';
import { createRequestLog } from './request-log.ts';
import type { RequestLog } from './request-log.ts';

export interface Telemetry {
  /** Undefined without MANAGEMENT_PORT. */
  readonly metrics: Metrics | undefined;
  readonly requests: RequestLog;
  /** For `observe` of a database. */
  readonly observeStatement: ((name: string) => EndStatement) | undefined;
  /** Shows the connections of the process in its metrics. */
  readonly watchConnections: (connections: Parameters<typeof watchConnections>[1]) => void;
}

interface TelemetryOptions {
  readonly observation: Observation;
  readonly logger: Logger;
}

export async function openTelemetry({ observation, logger }: TelemetryOptions): Promise<Telemetry> {
  const loaded = observation.managementPort === undefined ? undefined : await loadMetrics();
  const metrics = loaded?.createMetrics();
  return {
    metrics,
    requests: createRequestLog({ logger, sample: observation.logSample, onFinished: metrics?.recordRequest }),
    observeStatement: metrics?.startStatement,
    watchConnections: (connections) => {
      if (metrics !== undefined) loaded?.watchConnections(metrics, connections);
    },
  };
}

async function loadMetrics() {
  const [{ createMetrics }, { watchConnections }] = await Promise.all([
    import('./metrics/metrics.ts'),
    import('./metrics/watch-connections.ts'),
  ]);
  return { createMetrics, watchConnections };
}

interface OwnMetricsOptions extends Pick<ManagementOptions, 'publicPort' | 'logger'> {
  readonly observation: Observation;
  readonly metrics: Metrics | undefined;
}

/** Serves the metrics of this process alone, if they are on. @throws ConfigurationError if the port cannot be used. */
export async function serveOwnMetrics(options: OwnMetricsOptions): Promise<ManagementServer | undefined> {
  const { metrics, observation, publicPort, logger } = options;
  const { managementPort: port, managementHost: host } = observation;
  if (metrics === undefined || port === undefined) return undefined;
  const [{ startManagementServer }, { toText }] = await Promise.all([
    import('./metrics/management-server.ts'),
    import('./metrics/snapshot.ts'),
  ]);
  const read = async () => await toText([await metrics.read()]);
  return await startManagementServer({ host, port, publicPort, read, logger });
}
