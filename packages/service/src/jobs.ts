import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from './logger.ts';

/** Work that runs on a timer, such as a sweep. */
export interface Job {
  readonly name: string;
  /** Milliseconds from the end of one run to the start of the next. */
  readonly everyMs: number;
  /**
   * One run. Every process has the timer: use `runExclusively` of `@linnet/db` for work that must run in one process at
   * a time. A run that throws is logged, and the next one follows as usual. Long work must check `stopping`.
   */
  run(stopping: AbortSignal): Promise<void>;
}

/** Called after each run of a job. */
export type RecordJob = (name: string, seconds: number, outcome: 'success' | 'failure') => void;

/** Runs each job until disposal, which waits for the runs in progress. */
export function startJobs(jobs: readonly Job[], logger: Logger, record?: RecordJob): AsyncDisposable {
  const stop = new AbortController();
  const running = jobs.map((job) => repeat(job, stop.signal, { logger, record }));
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}

interface Reports {
  readonly logger: Logger;
  readonly record: RecordJob | undefined;
}

/** Starts after a random part of the interval, so that processes started together do not run at the same time. */
async function repeat(job: Job, stopping: AbortSignal, { logger, record }: Reports): Promise<void> {
  let waitMs = Math.random() * job.everyMs;
  while (await hasPassed(waitMs, stopping)) {
    waitMs = job.everyMs;
    const startedAt = performance.now();
    const report = (outcome: 'success' | 'failure') =>
      record?.(job.name, (performance.now() - startedAt) / 1000, outcome);
    try {
      await job.run(stopping);
      report('success');
    } catch (error) {
      report('failure');
      logger.warn({ err: error, job: job.name }, 'job failed');
    }
  }
}

/** Returns false if `stopping` came first. The timer does not keep the process alive. */
async function hasPassed(ms: number, stopping: AbortSignal): Promise<boolean> {
  return await delay(ms, true, { signal: stopping, ref: false }).catch(() => false);
}
