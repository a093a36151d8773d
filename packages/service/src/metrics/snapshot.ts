import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';

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

/** Media type of the text. */
export const contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

/** Adds the counters of a process that ended to those of others that ended before, so that sums never decrease. */
export async function addEnded(before: Snapshot, last: Snapshot): Promise<Snapshot> {
  const counted = last.filter(({ type }) => type === 'counter' || type === 'histogram');
  return await readSnapshot(AggregatorRegistry.aggregate([before, counted]));
}
