import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

import { DurationHistogram } from './durations.ts';

const bounds = [0.005, 0.025, 0.1, 0.5, 2, 10];

/** Requests to the bucket of media, with their repetitions. There are no series without a bucket. */
export function createStoreMetrics(registry: Registry): {
  /** Call when a request is sent; it returns what to call with its result. */
  readonly start: (operation: string) => (error?: unknown) => void;
} {
  const registers = [registry];
  const durations = new DurationHistogram({
    name: 'linnet_media_store_duration_seconds',
    help: 'Time of requests to the bucket of media until the response begins, with repetitions, by operation.',
    ...{ label: 'operation', bounds, registers },
  });
  const failures = new Counter({
    name: 'linnet_media_store_failures_total',
    help: 'Requests to the bucket of media that failed after all repetitions, by operation.',
    ...{ labelNames: ['operation'], registers },
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
