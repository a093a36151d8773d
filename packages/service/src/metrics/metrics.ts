/**
 * What a process counts for `/metrics`. Imported only if MANAGEMENT_PORT is set, because it loads prom-client. Names and
 * meanings: docs/operations/metrics.md.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

import type { Outcome } from '../request-log.ts';
import { version } from '../version.ts';
import { DurationHistogram } from './durations.ts';
import { counters } from './event-counters.ts';
import type { CounterLabels, CounterName } from './event-counters.ts';
import { gauges } from './gauges.ts';
import type { GaugeLabels, GaugeName } from './gauges.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { readSnapshot } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** Ends the measurement of a statement. */
export type EndStatement = (error?: unknown) => void;

export interface Metrics {
  /** Adds a finished request. */
  readonly recordRequest: (outcome: Outcome) => void;
  /** Call when a statement is sent; it returns what to call with its result. */
  readonly startStatement: (name: string) => EndStatement;
  /** Adds a run of a job. */
  readonly recordJob: (name: string, seconds: number, outcome: 'success' | 'failure') => void;
  /** Adds one to a counter. */
  readonly count: <Name extends CounterName>(name: Name, labels: CounterLabels<Name>) => void;
  /** Reads a value whenever the metrics are read. One that cannot be read is left out. */
  readonly watch: <Name extends GaugeName>(name: Name, labels: GaugeLabels<Name>, read: ReadGauge) => void;
  /** Shows a cache. A later one of the same name replaces it. */
  readonly watchCache: (cache: string, read: () => CacheUse) => void;
  /** The values of this process. */
  readonly read: () => Promise<Snapshot>;
}

export interface CacheUse {
  readonly entries: number;
  /** Roughly; absent if the cache is bounded by its entries. */
  readonly bytes?: number;
  /** Since the process started. */
  readonly hits: number;
  readonly misses: number;
}

export type ReadGauge = () => number | undefined | Promise<number | undefined>;

/** How long a value may take. */
const readingMs = 1000;
const statementBounds = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.5, 2];
const jobBounds = [0.01, 0.1, 1, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = createRequestMetrics(registry);
  const statements = new DurationHistogram({
    name: 'linnet_statement_duration_seconds',
    help: 'Time from sending a statement to its result, with waiting for a connection, by name of the statement.',
    ...{ label: 'statement', bounds: statementBounds, registers },
  });
  const failedStatements = new Counter({
    name: 'linnet_statement_failures_total',
    help: 'Statements that failed, by name of the statement.',
    ...{ labelNames: ['statement'], registers },
  });
  const jobs = new DurationHistogram({
    name: 'linnet_job_duration_seconds',
    help: 'Duration of the runs of a job.',
    // Prometheus itself uses the label `job`.
    ...{ label: 'name', bounds: jobBounds, registers },
  });
  const events = createCounters(registry);
  registerBuild(registry);
  const watch = createWatch(registry);
  return {
    recordRequest: requests.record,
    startStatement: (name) => {
      const startedAt = performance.now();
      return (error) => {
        statements.add(name, (performance.now() - startedAt) / 1000);
        if (error !== undefined) failedStatements.inc({ statement: name });
      };
    },
    recordJob: (name, seconds, outcome) => {
      jobs.add(name, seconds);
      events.jobRuns.inc({ name, outcome });
    },
    count: (name, labels) => events[name].inc(labels),
    watch,
    watchCache: createCacheWatch(registry, watch),
    read: async () => await readSnapshot(registry),
  };
}

function createCounters(registry: Registry): Readonly<Record<CounterName, Counter>> {
  const create = (name: CounterName) => {
    const { labels, shown, ...configuration } = counters[name];
    const counter = new Counter({ ...configuration, labelNames: [...labels], registers: [registry] });
    for (const series of shown) counter.inc({ ...series }, 0);
    return counter;
  };
  const names = Object.keys(counters) as CounterName[]; // the keys of the table
  return Object.fromEntries(names.map((name) => [name, create(name)])) as Record<CounterName, Counter>; // the same keys
}

function registerBuild(registry: Registry): void {
  const build = new Gauge({
    name: 'linnet_build_info',
    help: 'Always 1; the labels name the version of Linnet and of Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'max',
  });
  build.set({ version, node: process.versions.node }, 1);
}

/** Undefined if it fails or takes too long, so that one value does not hold up the others. */
async function readInTime(read: ReadGauge): Promise<number | undefined> {
  try {
    return await Promise.race([read(), delay(readingMs, undefined, { ref: false })]);
  } catch {
    return undefined;
  }
}

function createCacheWatch(registry: Registry, watch: Metrics['watch']): Metrics['watchCache'] {
  const caches = new Map<string, () => CacheUse>();
  // oxlint-disable-next-line no-new -- it registers itself
  new Counter({
    name: 'linnet_cache_requests_total',
    help: 'Look-ups in a cache, by outcome: hit or miss.',
    labelNames: ['cache', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, read] of caches) {
        const { hits, misses } = read();
        this.inc({ cache, outcome: 'hit' }, hits);
        this.inc({ cache, outcome: 'miss' }, misses);
      }
    },
  });
  return (cache, read) => {
    if (!caches.has(cache)) {
      watch('cacheEntries', { cache }, () => caches.get(cache)?.().entries);
      watch('cacheBytes', { cache }, () => caches.get(cache)?.().bytes);
    }
    caches.set(cache, read);
  };
}

interface Watched {
  readonly labels: Readonly<Record<string, string>>;
  readonly read: ReadGauge;
}

function createWatch(registry: Registry): Metrics['watch'] {
  const watched = new Map<GaugeName, Watched[]>();
  const addGauge = (name: GaugeName): Watched[] => {
    const { labels, ...configuration } = gauges[name];
    const readings: Watched[] = [];
    // oxlint-disable-next-line no-new -- it registers itself
    new Gauge({
      ...configuration,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        this.reset();
        await Promise.all(
          readings.map(async ({ labels: own, read }) => {
            const value = await readInTime(read);
            if (value !== undefined) this.set(own, value);
          }),
        );
      },
    });
    watched.set(name, readings);
    return readings;
  };
  return (name, labels, read) => void (watched.get(name) ?? addGauge(name)).push({ labels, read });
}
