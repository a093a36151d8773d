import { setTimeout as delay } from 'node:timers/promises';

/** More passwords wait to be hashed than the process takes on, or one has waited too long; nothing was done. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull';
}

export interface HashQueueOptions {
  /** How much runs at once. */
  readonly atOnce: number;
  /** How much may wait; more is refused at once. */
  readonly capacity: number;
  /** Milliseconds that anything waits before it is refused. */
  readonly patienceMs: number;
}

export interface HashQueue {
  /**
   * Runs `work` when its turn comes, in the order of the calls.
   * @throws HashQueueFull
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether `run` would refuse at this moment. */
  isFull(): boolean;
}

/** Keeps expensive work from taking every processor and every thread of the process (checklist R16). */
export function createHashQueue({ atOnce, capacity, patienceMs }: HashQueueOptions): HashQueue {
  const waiting = new Set<() => void>();
  let running = 0;

  const isFull = () => running >= atOnce && waiting.size >= capacity;

  async function takeTurn(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (isFull()) throw new HashQueueFull('too many passwords wait to be hashed');
    const { promise, resolve } = Promise.withResolvers<void>();
    const patience = new AbortController();
    waiting.add(resolve);
    const isOver = delay(patienceMs, true, { signal: patience.signal, ref: false }).catch(() => false);
    await Promise.race([promise, isOver]);
    patience.abort();
    // Whose turn has come is no longer waiting.
    if (waiting.delete(resolve)) throw new HashQueueFull('a password waited too long to be hashed');
  }

  /** The turn passes to whoever waits longest, so that nobody new slips in between. */
  function endTurn(): void {
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
      await takeTurn();
      try {
        return await work();
      } finally {
        endTurn();
      }
    },
  };
}
