import { once } from 'node:events';
import { createServer } from 'node:http';

import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';

import { ConfigurationError } from '../config/configuration-error.ts';
import { requestPath } from '../http/request-log.ts';
import type { Logger } from '../log/logger.ts';

/** The values of a process at one moment, which can be sent to another process. */
export type Snapshot = readonly MetricValues[];

interface MetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** How the values of several processes are combined. */
  readonly aggregator: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly metricName?: string;
  }[];
}

export async function readSnapshot(registry: Registry): Promise<Snapshot> {
  const values: unknown = await registry.getMetricsAsJSON();
  return values as Snapshot; // the types of prom-client describe the metrics themselves, not what it returns
}

/** What Prometheus reads: text format 0.0.4. Values of several processes are combined as each metric says. */
export async function toText(snapshots: readonly Snapshot[]): Promise<string> {
  return await AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** The values of one process, as they are: some, such as its start, cannot be combined with those of others. */
export async function toOwnText(snapshot: Snapshot): Promise<string> {
  return await toText([snapshot.map((metric) => ({ ...metric, aggregator: 'first' }))]);
}

/** Media type of the text. */
const contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

/** Adds the counters of a process that ended to those of others that ended before, so that sums never decrease. */
export async function addEnded(before: Snapshot, last: Snapshot): Promise<Snapshot> {
  const counted = last.filter(({ type }) => type === 'counter' || type === 'histogram');
  return await readSnapshot(AggregatorRegistry.aggregate([before, counted]));
}

export interface ManagementOptions {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  /** The port that everybody reaches (PORT). */
  readonly publicPort: number;
  /** Returns the metrics as text. */
  readonly read: () => Promise<string>;
  readonly logger: Logger;
}

export interface ManagementServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Serves `/metrics` on a port of its own, which must not be public.
 * @throws ConfigurationError if it cannot listen there.
 */
export async function startManagementServer(options: ManagementOptions): Promise<ManagementServer> {
  const { host, port, publicPort, read, logger } = options;
  if (port !== 0 && port === publicPort) throw new ConfigurationError(['MANAGEMENT_PORT: must differ from PORT']);
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (requestPath(request.url) !== '/metrics' || !isRead) {
      response.writeHead(isRead ? 404 : 405, isRead ? {} : { Allow: 'GET, HEAD' }).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text),
      (error: unknown) => {
        logger.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(503).end();
      },
    );
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigurationError([`MANAGEMENT_HOST, MANAGEMENT_PORT: ${error instanceof Error ? error.message : ''}`]);
  }
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  logger.info({ managementHost: host, managementPort: bound }, 'metrics are served');
  return {
    port: bound,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
