import { setTimeout as delay } from 'node:timers/promises';

import type { Metrics } from './metrics.ts';

/** Structural, because this room knows no other. */
interface WatchedConnections {
  readonly pools: Readonly<Record<string, () => PoolUse>>;
  readonly feed: {
    ready(): Promise<void>;
    status(): { readonly lagSeconds: number | undefined; readonly known: number };
  };
}

/** Shorter than the time that a value may take, so that an outage shows the lag. */
const pollMs = 500;

interface PoolUse {
  readonly max: number;
  readonly open: number;
  readonly used: number;
  readonly waiting: number;
}

/** Shows the pools and the revocation feed of a process in its metrics. */
export function watchConnections(metrics: Pick<Metrics, 'watch'>, { pools, feed }: WatchedConnections): void {
  for (const [pool, use] of Object.entries(pools)) {
    metrics.watch('poolSize', { pool }, () => use().max);
    metrics.watch('poolOpen', { pool }, () => use().open);
    metrics.watch('poolUsed', { pool }, () => use().used);
    metrics.watch('poolWaiting', { pool }, () => use().waiting);
  }
  metrics.watch('revocationLag', {}, async () => {
    // A feed that rests polls when it is asked.
    await Promise.race([feed.ready().catch(() => undefined), delay(pollMs, undefined, { ref: false })]);
    return feed.status().lagSeconds;
  });
  metrics.watch('revocations', {}, () => feed.status().known);
}
