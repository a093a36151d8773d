/** Values that are read whenever the metrics are read. */

import { setTimeout as delay } from 'node:timers/promises';

import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

import type { Readiness, ReadinessCheck } from '../http/readiness.ts';

/** What is read whenever the metrics are read. `aggregator` combines the values of several processes. */
const gauges = {
  poolSize: {
    name: 'linnet_pool_connections_max',
    help: 'Connections that the pools may open.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  poolUsed: {
    name: 'linnet_pool_connections_used',
    help: 'Connections that statements or transactions are using.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  poolOpen: {
    name: 'linnet_pool_connections_open',
    help: 'Connections that are open, used or idle.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  poolWaiting: {
    name: 'linnet_pool_waiting',
    help: 'Statements and transactions that wait for a connection.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  revocationLag: {
    name: 'linnet_revocation_lag_seconds',
    help: 'Age of what the slowest process knows about revocations. Above 0.9 s requests wait, then get 503.',
    labels: [],
    aggregator: 'max',
  },
  revocations: {
    name: 'linnet_revocations_known',
    help: 'Revocations that a process keeps in memory.',
    labels: [],
    aggregator: 'max',
  },
  queueLength: {
    name: 'linnet_queue_length',
    help: 'Rows that wait for a job, at most 10,000.',
    labels: ['queue'],
    aggregator: 'max',
  },
  queueDelay: {
    name: 'linnet_queue_delay_seconds',
    help: 'How long the row that has been due for the longest time has waited.',
    labels: ['queue'],
    aggregator: 'max',
  },
  reportsOpen: {
    name: 'linnet_reports_open',
    help: 'Accounts, posts and comments with reports that wait for an operator, at most 10,000.',
    labels: [],
    aggregator: 'max',
  },
  partitionsAhead: {
    name: 'linnet_partitions_ahead_seconds',
    help: 'For how long rows that are written have a partition, if no further one is created.',
    labels: ['table'],
    aggregator: 'min',
  },
  streams: {
    name: 'linnet_event_streams',
    help: 'Open streams of events.',
    labels: [],
    aggregator: 'sum',
  },
  streamLag: {
    name: 'linnet_event_stream_lag_seconds',
    help: 'Time since the slowest process last knew all events. Only processes that had a stream.',
    labels: [],
    aggregator: 'max',
  },
  replicaLag: {
    name: 'linnet_replica_lag_seconds',
    help: 'Age of what the slowest process knows a replica to have. Only replicas that are used.',
    labels: ['replica'],
    aggregator: 'max',
  },
  cacheServer: {
    name: 'linnet_cache_server_connected',
    help: 'Whether every process can reach the server of CACHE_URL: 1 or 0.',
    labels: [],
    aggregator: 'min',
  },
  cacheEntries: {
    name: 'linnet_cache_entries',
    help: 'Entries of a cache in memory.',
    labels: ['cache'],
    aggregator: 'sum',
  },
  cacheBytes: {
    name: 'linnet_cache_bytes',
    help: 'Memory that a cache takes, roughly.',
    labels: ['cache'],
    aggregator: 'sum',
  },
} as const;

type GaugeName = keyof typeof gauges;

type GaugeLabels<Name extends GaugeName> = Readonly<Record<(typeof gauges)[Name]['labels'][number], string>>;

export type Watch = <Name extends GaugeName>(name: Name, labels: GaugeLabels<Name>, read: ReadGauge) => void;

export interface CacheUse {
  readonly entries: number;
  /** Roughly; absent if the cache is bounded by its entries. */
  readonly bytes?: number;
  /** Since the process started. */
  readonly hits: number;
  readonly misses: number;
}

type ReadGauge = () => number | undefined | Promise<number | undefined>;

/** How long a value may take. */
const readingMs = 1000;

/** Undefined if it fails or takes too long, so that one value does not hold up the others. */
async function readInTime(read: ReadGauge): Promise<number | undefined> {
  try {
    return await Promise.race([read(), delay(readingMs, undefined, { ref: false })]);
  } catch {
    return undefined;
  }
}

export function createCacheWatch(registry: Registry, watch: Watch): (cache: string, read: () => CacheUse) => void {
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

/** Shows what readiness checks. A reading that takes longer shows with the next one. */
export function createReadinessWatch(registry: Registry): (readiness: Readiness) => void {
  return (readiness) => {
    let latest: readonly ReadinessCheck[] = [];
    // oxlint-disable-next-line no-new -- it registers itself
    new Gauge({
      name: 'linnet_ready',
      help: 'Whether a check of readiness passes: 1 or 0, with the reason if it is known.',
      labelNames: ['check', 'reason'],
      registers: [registry],
      aggregator: 'min',
      async collect() {
        const read = readiness().then((checks) => void (latest = checks));
        await Promise.race([read.catch(() => undefined), delay(readingMs, undefined, { ref: false })]);
        this.reset();
        for (const { name, ok, reason = '' } of latest) this.set({ check: name, reason: ok ? '' : reason }, Number(ok));
      },
    });
  };
}

interface Watched {
  readonly labels: Readonly<Record<string, string>>;
  readonly read: ReadGauge;
}

export function createWatch(registry: Registry): Watch {
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
