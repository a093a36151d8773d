import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { Logger } from '@linnet/service/logger';

import { createRestartPolicy } from './restart-policy.ts';

export interface WorkerPoolOptions {
  readonly count: number;
  /** Environment variables added to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly logger: Logger;
}

export interface WorkerPool {
  /** Fulfilled when all initial workers are listening. */
  readonly ready: Promise<void>;
  /** Fulfilled when five workers died within a minute. No more are started. */
  readonly failed: Promise<void>;
  /**
   * Starts new workers from the current code and stops the previous ones once all new ones are listening. Returns false
   * if a new worker fails to start; the previous ones then keep running.
   */
  restart(deadlineMs: number): Promise<boolean>;
  /** Lets the workers finish their requests; kills them after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * MiB of one half of the young generation. With V8's own choice, twice as much, a worker is 35 MiB larger when idle and up to
 * 90 MiB under load ([measured](../../../../docs/performance.md#memory)).
 */
const semiSpaceMiB = 8;
const workerFlags = [`--max-semi-space-size=${String(semiSpaceMiB)}`];

/** Starts the workers and restarts those that die. */
export function startWorkers({ count, env, args, logger }: WorkerPoolOptions): WorkerPool {
  setUpWorkers(args);
  const policy = createRestartPolicy();
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const workers = createWorkerSet(env);
  let isStopping = false;
  let listening = 0;

  const supervise = (worker: Worker) => {
    worker.process.once('exit', (exitCode, signal) => {
      if (isStopping || workers.isRetired(worker)) return;
      const delayMs = policy.afterDeath(Date.now());
      logger.error({ worker: worker.process.pid, exitCode, signal }, 'a worker died');
      if (delayMs === undefined) failed.resolve();
      else setTimeout(start, delayMs);
    });
  };
  const start = () => {
    if (isStopping) return;
    const worker = workers.fork();
    worker.once('listening', () => {
      listening += 1;
      if (listening === count) ready.resolve();
    });
    supervise(worker);
  };
  for (let index = 0; index < count; index += 1) start();

  return {
    ready: ready.promise,
    failed: failed.promise,
    restart: async (deadlineMs) => {
      const previous = workers.running();
      const next = previous.map(workers.fork);
      const isReplaced = (await Promise.all(next.map(isListening))).every(Boolean);
      if (isReplaced) {
        const running = new Set(workers.running());
        for (const worker of next) {
          if (running.has(worker)) supervise(worker);
          else start();
        }
      }
      await workers.retire(isReplaced ? previous : next, deadlineMs);
      return isReplaced;
    },
    stop: async (deadlineMs) => {
      isStopping = true;
      await workers.retire(workers.running(), deadlineMs);
    },
  };
}

function setUpWorkers(args: readonly string[]): void {
  const exec = fileURLToPath(new URL('worker.js', import.meta.url));
  cluster.setupPrimary({ exec, args: [...args], execArgv: [...process.execArgv, ...workerFlags] });
}

interface WorkerSet {
  readonly fork: () => Worker;
  readonly running: () => readonly Worker[];
  /** True if `retire` was called for it: it must not be restarted. */
  readonly isRetired: (worker: Worker) => boolean;
  readonly retire: (workers: readonly Worker[], deadlineMs: number) => Promise<void>;
}

function createWorkerSet(env: Readonly<Record<string, string>>): WorkerSet {
  const running = new Set<Worker>();
  const retired = new WeakSet<Worker>();
  return {
    fork: () => {
      const compileCache = getCompileCacheDir();
      const worker = cluster.fork({
        ...env,
        ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
      });
      running.add(worker);
      // Not `disconnect`: a worker may lose its channel before it exits.
      worker.process.once('exit', () => running.delete(worker));
      return worker;
    },
    running: () => [...running],
    isRetired: (worker) => retired.has(worker),
    retire: async (workers, deadlineMs) => {
      const stopping = workers.filter((worker) => running.has(worker));
      for (const worker of stopping) retired.add(worker);
      await stopWorkers(stopping, deadlineMs);
    },
  };
}

/** False if it exits first. */
async function isListening(worker: Worker): Promise<boolean> {
  return await new Promise((resolve) => {
    worker.once('listening', () => resolve(true));
    worker.process.once('exit', () => resolve(false));
  });
}

async function stopWorkers(workers: readonly Worker[], deadlineMs: number): Promise<void> {
  const exits = workers.map((worker) => new Promise((resolve) => worker.process.once('exit', resolve)));
  for (const worker of workers) worker.process.kill('SIGTERM');
  const killTimer = setTimeout(() => {
    for (const worker of workers) worker.process.kill('SIGKILL');
  }, deadlineMs);
  await Promise.all(exits);
  clearTimeout(killTimer);
}
