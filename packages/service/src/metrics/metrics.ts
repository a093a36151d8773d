/**
 * What a process counts for `/metrics`. Imported only if MANAGEMENT_PORT is set, because it loads prom-client. Names and
 * meanings: docs/operations/metrics.md.
 */

import { METHODS } from 'node:http';

import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

import { version } from '../config/version.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Outcome } from '../http/request-log.ts';
import { DurationHistogram } from './durations.ts';
import { counters } from './event-counters.ts';
import type { CounterLabels, CounterName } from './event-counters.ts';
import { readSnapshot } from './management-server.ts';
import type { Snapshot } from './management-server.ts';
import { createCacheWatch, createReadinessWatch, createWatch } from './watch.ts';
import type { CacheUse, Watch } from './watch.ts';

const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** The label of requests that no known route served. */
const otherRoute = 'other';
/** More than there are methods, so that one number stands for status and method. */
const methodsAtMost = 128;

/** Rate, errors and duration of each route. Labels are routes of the code, methods that Node knows, and statuses. */
function createRequestMetrics(registry: Registry): { readonly record: (outcome: Outcome) => void } {
  const registers = [registry];
  const durations = new DurationHistogram({
    name: 'linnet_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by route.',
    ...{ label: 'route', bounds: requestBounds, registers },
  });
  const routes = new Map<string, Map<number, number>>();
  const methodIndexes = new Map(METHODS.map((method, index) => [method, index]));
  // oxlint-disable-next-line no-new -- it registers itself
  new Counter({
    name: 'linnet_http_requests_total',
    help: 'Finished requests, by route, method and status. Status 499: the client closed the connection.',
    ...{ labelNames: ['route', 'method', 'status'], registers },
    collect() {
      this.reset();
      for (const [route, outcomes] of routes) {
        for (const [key, count] of outcomes) {
          const method = METHODS[key % methodsAtMost] ?? '';
          this.inc({ route, method, status: String(Math.floor(key / methodsAtMost)) }, count);
        }
      }
    },
  });
  return {
    record: ({ route = otherRoute, method = '', status, durationMs, isStream = false }) => {
      if (!isStream) durations.add(route, durationMs / 1000);
      let outcomes = routes.get(route);
      if (outcomes === undefined) {
        outcomes = new Map();
        routes.set(route, outcomes);
      }
      const key = status * methodsAtMost + (methodIndexes.get(method) ?? 0);
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    },
  };
}

const storeBounds = [0.005, 0.025, 0.1, 0.5, 2, 10];

/** Requests to the bucket of media, with their repetitions. There are no series without a bucket. */
function createStoreMetrics(registry: Registry): {
  /** Call when a request is sent; it returns what to call with its result. */
  readonly start: (operation: string) => (error?: unknown) => void;
} {
  const registers = [registry];
  const durations = new DurationHistogram({
    name: 'linnet_media_store_duration_seconds',
    help: 'Time of requests to the bucket of media until the response begins, with repetitions, by operation.',
    ...{ label: 'operation', bounds: storeBounds, registers },
  });
  const failures = new Counter({
    name: 'linnet_media_store_failures_total',
    help: 'Requests to the bucket of media that failed after all repetitions, by operation.',
    ...{ labelNames: ['operation'], registers },
    collect() {
      for (const operation of durations.values()) this.inc({ operation }, 0);
    },
  });
  return {
    start: (operation) => {
      const startedAt = performance.now();
      return (error) => {
        durations.add(operation, (performance.now() - startedAt) / 1000);
        if (error !== undefined) failures.inc({ operation });
      };
    },
  };
}

/** Ends the measurement of a statement or of a request to another server. */
export type EndStatement = (error?: unknown) => void;

export interface Metrics {
  /** Adds a finished request. */
  readonly recordRequest: (outcome: Outcome) => void;
  /** Call when a statement is sent; it returns what to call with its result. */
  readonly startStatement: (name: string) => EndStatement;
  /** Call when a request to the bucket of media is sent; it returns what to call with its result. */
  readonly startStoreRequest: (operation: string) => EndStatement;
  /** Adds a run of a job. */
  readonly recordJob: (name: string, seconds: number, outcome: 'success' | 'failure') => void;
  /** Adds one to a counter. */
  readonly count: <Name extends CounterName>(name: Name, labels: CounterLabels<Name>) => void;
  /** Reads a value whenever the metrics are read. One that cannot be read is left out. */
  readonly watch: Watch;
  /** Shows what readiness checks. Call it once. */
  readonly watchReadiness: (readiness: Readiness) => void;
  /** Shows a cache. A later one of the same name replaces it. */
  readonly watchCache: (cache: string, read: () => CacheUse) => void;
  /** The values of this process. */
  readonly read: () => Promise<Snapshot>;
}

const statementBounds = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.5, 2];
const jobBounds = [0.01, 0.1, 1, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges with the name of a counter. The gauges by type say the same.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
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
    collect() {
      // A statement that was sent can fail: its first failure must be an increase.
      for (const statement of statements.values()) this.inc({ statement }, 0);
    },
  });
  const storeRequests = createStoreMetrics(registry);
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
    startStoreRequest: storeRequests.start,
    recordJob: (name, seconds, outcome) => {
      jobs.add(name, seconds);
      for (const one of ['success', 'failure']) events.jobRuns.inc({ name, outcome: one }, one === outcome ? 1 : 0);
    },
    count: (name, labels) => events[name].inc(labels),
    watch,
    watchReadiness: createReadinessWatch(registry),
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
