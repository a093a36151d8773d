import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from './logger.ts';

/** Work that is done again and again, such as sweeping out what has expired. */
export interface Job {
  readonly name: string;
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number;
  /**
   * One run. Every process has the job: whoever must be alone takes `runExclusively` of `@linnet/db`. A run
   * that fails is logged and tried again at the next turn. Long work looks at `stopping` now and then.
   */
  run(stopping: AbortSignal): Promise<void>;
}

/** Runs each job until disposed of, which waits for the runs under way. */
export function startJobs(jobs: readonly Job[], logger: Logger): AsyncDisposable {
  const stop = new AbortController();
  const running = jobs.map((job) => repeat(job, stop.signal, logger));
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}

/** The first run comes at a random moment of the interval: processes started together take turns. */
async function repeat(job: Job, stopping: AbortSignal, logger: Logger): Promise<void> {
  let waitMs = Math.random() * job.everyMs;
  while (await hasPassed(waitMs, stopping)) {
    waitMs = job.everyMs;
    try {
      await job.run(stopping);
    } catch (error) {
      logger.warn({ err: error, job: job.name }, 'a job failed');
    }
  }
}

/** False when the end came first. The timer keeps no process alive. */
async function hasPassed(ms: number, stopping: AbortSignal): Promise<boolean> {
  return await delay(ms, true, { signal: stopping, ref: false }).catch(() => false);
}
