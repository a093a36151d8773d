import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { Logger } from '@linnet/service/logger';

import { createRestartPolicy } from './restart-policy.ts';

export interface WorkerPoolOptions {
  readonly count: number;
  /** Variables that workers get on top of ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly logger: Logger;
}

export interface WorkerPool {
  /** Fulfilled when all of the first workers listen. */
  readonly ready: Promise<void>;
  /** Fulfilled when five workers died within a minute and no more are started. */
  readonly failed: Promise<void>;
  /** Lets the workers finish what they do; kills those that have not after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** Starts the workers, and each again when it dies. */
export function startWorkers({ count, env, args, logger }: WorkerPoolOptions): WorkerPool {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.js', import.meta.url)), args: [...args] });
  const policy = createRestartPolicy();
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const alive = new Set<Worker>();
  let isStopping = false;
  let listening = 0;

  const fork = () => {
    if (isStopping) return;
    const compileCache = getCompileCacheDir();
    const worker = cluster.fork({
      ...env,
      ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
    });
    alive.add(worker);
    worker.once('listening', () => {
      listening += 1;
      if (listening === count) ready.resolve();
    });
    // `exit` only: a worker may be without its channel before it is gone.
    worker.process.once('exit', (exitCode, signal) => {
      alive.delete(worker);
      if (isStopping) return;
      const delayMs = policy.afterDeath(Date.now());
      logger.error({ worker: worker.process.pid, exitCode, signal }, 'a worker died');
      if (delayMs === undefined) failed.resolve();
      else setTimeout(fork, delayMs);
    });
  };
  for (let index = 0; index < count; index += 1) fork();

  return {
    ready: ready.promise,
    failed: failed.promise,
    stop: async (deadlineMs) => {
      isStopping = true;
      await endWorkers([...alive], deadlineMs);
    },
  };
}

async function endWorkers(workers: readonly Worker[], deadlineMs: number): Promise<void> {
  const ends = workers.map((worker) => new Promise((resolve) => worker.process.once('exit', resolve)));
  for (const worker of workers) worker.process.kill('SIGTERM');
  const cutOff = setTimeout(() => {
    for (const worker of workers) worker.process.kill('SIGKILL');
  }, deadlineMs);
  await Promise.all(ends);
  clearTimeout(cutOff);
}
