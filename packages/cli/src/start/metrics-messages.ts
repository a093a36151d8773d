/** How the primary gets the metrics of its workers: messages over the channel of `node:cluster`. */
import type { Metrics } from '@linnet/service/metrics/metrics';
import type { Snapshot } from '@linnet/service/metrics/management-server';

/** The primary sends it to a worker, which sends its metrics. */
export const metricsRequest = 'metrics';

interface MetricsMessage {
  readonly metrics: Snapshot;
}

export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'metrics' in message && Array.isArray(message.metrics);
}

export function answerMetricsRequests(metrics: Metrics): void {
  process.on('message', (message) => {
    if (message === metricsRequest) void sendMetrics(metrics);
  });
}

/** Resolves when they were sent. A primary that has gone needs none. */
export async function sendMetrics(metrics: Metrics): Promise<void> {
  const message: MetricsMessage = { metrics: await metrics.read() };
  await new Promise((resolve) => process.send?.(message, undefined, {}, resolve) ?? resolve(undefined));
}
