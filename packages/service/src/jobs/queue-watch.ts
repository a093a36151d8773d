import { setTimeout as delay } from 'node:timers/promises';

import type { QueueJob, Run } from './job.ts';

interface QueueWatchOptions {
  readonly jobs: readonly QueueJob[];
  readonly find: () => Promise<ReadonlySet<string>>;
  readonly run: Run;
  readonly isSpare: boolean;
}

/** Milliseconds between two checks while the process writes, or jobs run. */
const awakeCheckMs = 200;
/** How long a process stays awake after the last write, or run. */
const awakeMs = 2000;
/** Milliseconds between two checks of a process that rests: for retries, and for what other processes wrote and did not finish. */
const restingCheckMs = 500;
/** The same if another process of the host checks, which may be about to be replaced. */
const spareCheckMs = 10_000;
const afterFailureMs = 1000;

const now = () => performance.now();

/**
 * Runs jobs when rows wait for them. All processes do: those that write check often, and find what they wrote themselves;
 * the others rest, and check for what is left.
 */
export class QueueWatch {
  readonly #options: QueueWatchOptions;
  readonly #restMs: number;
  readonly #running = new Map<string, Promise<unknown>>();
  /** When a job may run again. */
  readonly #nextRunAt = new Map<string, number>();
  #awakeUntil = -Infinity;
  #isResting = false;
  #endRest: (() => void) | undefined;

  constructor(options: QueueWatchOptions) {
    this.#options = options;
    this.#restMs = options.isSpare ? spareCheckMs : restingCheckMs;
  }

  /** Ends the rest of the process, with a check. */
  wake(): void {
    this.#awakeUntil = now() + awakeMs;
    this.#endRest?.();
  }

  /** Checks until `stopping`, and waits for the runs in progress. */
  async watch(stopping: AbortSignal): Promise<void> {
    let waitMs = Math.random() * awakeCheckMs;
    while (!stopping.aborted) {
      await this.#pause(waitMs, stopping);
      if (!stopping.aborted) waitMs = await this.#check();
    }
    await Promise.all(this.#running.values());
  }

  /** Runs what is due. Returns milliseconds until the next check. */
  async #check(): Promise<number> {
    const startedAt = now();
    let due: ReadonlySet<string> = new Set();
    const find = async () => void (due = await this.#options.find());
    this.#isResting = false;
    if ((await this.#options.run({ name: 'due-jobs', run: find })) === 'failure') return afterFailureMs;
    for (const job of this.#options.jobs) {
      const isTooSoon = startedAt < (this.#nextRunAt.get(job.name) ?? -Infinity);
      if (due.has(job.name) && !isTooSoon && !this.#running.has(job.name)) this.#start(job);
    }
    this.#isResting = startedAt >= this.#awakeUntil && this.#running.size === 0;
    return (this.#isResting ? this.#restMs : awakeCheckMs) - (now() - startedAt);
  }

  #start(job: QueueJob): void {
    const ended = this.#options.run(job).then(() => {
      this.#running.delete(job.name);
      // A check is as exact as its interval. `run` of one job may be what another one waits for.
      this.#nextRunAt.set(job.name, now() + job.everyMs - awakeCheckMs);
      this.wake();
    });
    this.#running.set(job.name, ended);
  }

  /** Waits; at most until `wake`, if the process rests. */
  async #pause(ms: number, stopping: AbortSignal): Promise<void> {
    const waiting = delay(Math.max(0, ms), undefined, { signal: stopping, ref: false }).catch(() => undefined);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#endRest = this.#isResting ? resolve : undefined;
    await Promise.race([waiting, ended]);
    this.#endRest = undefined;
  }
}
