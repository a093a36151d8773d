import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds of a monotonic clock. */
const now = () => performance.now();

/** Whether the feed rests, and what wakes it. */
export class Rest {
  readonly #afterMs: number;
  #usedAt = now();
  #isResting = false;
  #wake: (() => void) | undefined;
  #learning: Promise<void> | undefined;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** Begins to rest if nothing used the feed for a while. Returns whether it rests. */
  begin(): boolean {
    this.#isResting = now() - this.#usedAt >= this.#afterMs;
    return this.#isResting;
  }

  /** Waits; not longer than the rest, if the feed rests. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const waiting = delay(Math.max(0, ms), undefined, { signal, ref: false }).catch(() => undefined);
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    this.#wake = this.#isResting ? resolve : undefined;
    await Promise.race([waiting, woken]);
  }

  /** Ends the rest, with a call of `learn`. Returns that call while it takes. */
  end(learn: () => Promise<void>): Promise<void> | undefined {
    this.#usedAt = now();
    if (this.#isResting) {
      this.#isResting = false;
      this.#learning = learn().finally(() => (this.#learning = undefined));
      this.#wake?.();
    }
    return this.#learning;
  }
}
