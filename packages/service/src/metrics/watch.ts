/** Values that are read whenever the metrics are read. */
import { setTimeout as delay } from 'node:timers/promises';

import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

import { gauges } from './gauges.ts';
import type { GaugeLabels, GaugeName } from './gauges.ts';

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
