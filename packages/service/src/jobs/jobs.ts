import { setTimeout as delay } from 'node:timers/promises';

import type { RequestHandler } from '../http/http-server.ts';
import type { Logger } from '../log/logger.ts';
import type { Job, QueueJob, Run } from './job.ts';
import { QueueWatch } from './queue-watch.ts';

/** Called after each run of a job. */
type RecordJob = (name: string, seconds: number, outcome: 'success' | 'failure') => void;

interface JobsOptions {
  readonly logger: Logger;
  readonly record?: RecordJob | undefined;
  /** Creates the function that finds the names of those jobs that have something to do. */
  readonly findDue: (jobs: readonly QueueJob[]) => () => Promise<ReadonlySet<string>>;
  /** Whether another process of the host runs the same jobs. This one then rarely has to, unless it writes. */
  readonly isSpare: boolean;
}

/** How many times as long the intervals of a spare process are. The other one may be about to be replaced. */
const sparePatience = 20;

/** Disposal waits for the runs in progress. */
interface RunningJobs extends AsyncDisposable {
  /** Call it after something was written for which a job may have to run at once. Costs nothing. */
  wake(): void;
}

/** Runs each job until disposal. */
export function startJobs(jobs: readonly Job[], options: JobsOptions): RunningJobs {
  const stop = new AbortController();
  const run = createRun(options, stop.signal);
  const patience = options.isSpare ? sparePatience : 1;
  const timed = jobs
    .filter(({ due }) => due === undefined)
    .map((job) => ({ ...job, everyMs: job.everyMs * (job.isOfProcess === true ? 1 : patience) }));
  const queueJobs = jobs.filter((job): job is QueueJob => job.due !== undefined);
  const watch = new QueueWatch({
    jobs: queueJobs,
    find: options.findDue(queueJobs),
    run,
    isSpare: options.isSpare,
  });
  const running = [
    ...timed.map((job) => repeat(job, run, stop.signal)),
    ...(queueJobs.length > 0 ? [watch.watch(stop.signal)] : []),
  ];
  return {
    wake: () => watch.wake(),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}

function createRun({ logger, record }: JobsOptions, stopping: AbortSignal): Run {
  return async ({ name, run }) => {
    const startedAt = performance.now();
    const report = (outcome: 'success' | 'failure') => {
      record?.(name, (performance.now() - startedAt) / 1000, outcome);
      return outcome;
    };
    try {
      await run(stopping);
      return report('success');
    } catch (error) {
      logger.warn({ err: error, job: name }, 'job failed');
      return report('failure');
    }
  };
}

/** Starts after a random part of the interval, so that processes started together do not run at the same time. */
async function repeat(job: Job, run: Run, stopping: AbortSignal): Promise<void> {
  let waitMs = Math.random() * job.everyMs;
  while (await hasPassed(waitMs, stopping)) {
    waitMs = job.everyMs;
    await run(job);
  }
}

/** Returns false if `stopping` came first. The timer does not keep the process alive. */
async function hasPassed(ms: number, stopping: AbortSignal): Promise<boolean> {
  return await delay(ms, true, { signal: stopping, ref: false }).catch(() => false);
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** GET can create posts and comments (docs/decisions/0013-get-create.md). */
const creates = /\/create(?:\?|$)/;

/** Handles requests, and wakes the jobs after each that may have written something for them. */
export function wakeAfterWrites(handler: RequestHandler, jobs: Pick<RunningJobs, 'wake'>): RequestHandler {
  return (request, response) => {
    if (!safeMethods.has(request.method ?? '') || creates.test(request.url ?? '')) {
      response.once('close', () => jobs.wake());
    }
    handler(request, response);
  };
}
