/** How the primary gets the metrics of its workers: messages over the channel of `node:cluster`. */
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';

import { addEnded, toText } from '@linnet/service/metrics/management-server';
import type { Snapshot } from '@linnet/service/metrics/management-server';
import type { Metrics } from '@linnet/service/metrics/metrics';

/** The primary sends it to a worker, which sends its metrics. */
const metricsRequest = 'metrics';

interface MetricsMessage {
  readonly metrics: Snapshot;
}

function isMetricsMessage(message: unknown): message is MetricsMessage {
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

/** A worker that does not respond within this time is shown as it was the last time. */
const responseMs = 2000;

/**
 * Collects the metrics of all workers. A worker sends its last values when it stops, and the counters of workers that ended
 * are kept, so sums never decrease. Of a worker that died they are those of the last time it was asked.
 * @returns a function that reads them as text
 */
export function collectWorkerMetrics(): () => Promise<string> {
  const latest = new Map<Worker, Snapshot>();
  let ended: Promise<Snapshot> = Promise.resolve([]);
  let deaths = 0;
  cluster.on('message', (worker, message) => {
    if (isMetricsMessage(message)) latest.set(worker, message.metrics);
  });
  const keep = (worker: Worker) => {
    const last = latest.get(worker);
    latest.delete(worker);
    if (last !== undefined) ended = ended.then((before) => addEnded(before, last));
  };
  // Its last message may arrive after its exit, but before its channel closes.
  cluster.on('disconnect', keep);
  cluster.on('exit', (_worker, exitCode) => {
    if (exitCode !== 0) deaths += 1;
  });
  return async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const received = Promise.all(workers.filter((worker) => worker.isConnected()).map(request));
    await Promise.race([received, delay(responseMs, undefined, { ref: false })]);
    return await toText([await ended, ...latest.values(), describeWorkers(workers.length, deaths)]);
  };
}

/** Resolves when the worker has sent its metrics or has ended. */
async function request(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onMessage = (message: unknown) => isMetricsMessage(message) && resolve();
  worker.on('message', onMessage);
  worker.once('disconnect', resolve);
  worker.send(metricsRequest, () => undefined);
  await promise;
  worker.off('message', onMessage);
  worker.off('disconnect', resolve);
}

function describeWorkers(running: number, deaths: number): Snapshot {
  return [
    {
      name: 'linnet_workers',
      help: 'Workers that are running.',
      ...{ type: 'gauge', aggregator: 'sum', values: [{ value: running, labels: {} }] },
    },
    {
      name: 'linnet_worker_deaths_total',
      help: 'Workers that ended with an exit status other than 0, or by a signal.',
      ...{ type: 'counter', aggregator: 'sum', values: [{ value: deaths, labels: {} }] },
    },
  ];
}
