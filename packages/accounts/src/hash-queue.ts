import { setTimeout as delay } from 'node:timers/promises';

/** Too many passwords wait to be hashed, or this one waited too long. Nothing was done. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull';
}

export interface HashQueueOptions {
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  /** Jobs that may wait; further ones are rejected at once. */
  readonly capacity: number;
  /** Milliseconds a job may wait before it is rejected. */
  readonly maxWaitMs: number;
}

export interface HashQueue {
  /**
   * Runs `work` when it reaches the head of the queue (first in, first out).
   * @throws HashQueueFull
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** True if `run` would reject now. */
  isFull(): boolean;
}

/** A queue that keeps expensive work from using every CPU and every thread of the process (checklist R16). */
export function createHashQueue({ concurrency, capacity, maxWaitMs }: HashQueueOptions): HashQueue {
  const waiting = new Set<() => void>();
  let running = 0;

  const isFull = () => running >= concurrency && waiting.size >= capacity;

  async function acquireSlot(): Promise<void> {
    if (running < concurrency) {
      running += 1;
      return;
    }
    if (isFull()) throw new HashQueueFull('Too many passwords are waiting to be hashed.');
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = new AbortController();
    waiting.add(resolve);
    const timeout = delay(maxWaitMs, true, { signal: timer.signal, ref: false }).catch(() => false);
    await Promise.race([promise, timeout]);
    timer.abort();
    // `releaseSlot` has removed the job if it got a slot.
    if (waiting.delete(resolve)) throw new HashQueueFull('A password waited too long to be hashed.');
  }

  /** Passes the slot to the oldest waiting job without freeing it, so that no new job can overtake. */
  function releaseSlot(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    isFull,
    run: async (work) => {
      await acquireSlot();
      try {
        return await work();
      } finally {
        releaseSlot();
      }
    },
  };
}
