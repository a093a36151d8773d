import type { Metrics } from './metrics.ts';

/** Structural, because this room knows no other. */
interface WatchedConnections {
  readonly pools: Readonly<Record<string, () => PoolUse>>;
  readonly feed: { status(): { readonly lagSeconds: number | undefined; readonly known: number } };
}

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
  metrics.watch('revocationLag', {}, () => feed.status().lagSeconds);
  metrics.watch('revocations', {}, () => feed.status().known);
}
