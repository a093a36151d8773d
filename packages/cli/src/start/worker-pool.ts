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
  /**
   * Replaces the workers, by the code that is there now: the former end once all of the new ones listen. False: a
   * new one did not come that far, and the former go on.
   */
  restart(deadlineMs: number): Promise<boolean>;
  /** Lets the workers finish what they do; kills those that have not after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** Starts the workers, and each again when it dies. */
export function startWorkers({ count, env, args, logger }: WorkerPoolOptions): WorkerPool {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.js', import.meta.url)), args: [...args] });
  const policy = createRestartPolicy();
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const crew = createCrew(env);
  let isStopping = false;
  let listening = 0;

  const keep = (worker: Worker) => {
    worker.process.once('exit', (exitCode, signal) => {
      if (isStopping || crew.isLeaving(worker)) return;
      const delayMs = policy.afterDeath(Date.now());
      logger.error({ worker: worker.process.pid, exitCode, signal }, 'a worker died');
      if (delayMs === undefined) failed.resolve();
      else setTimeout(fork, delayMs);
    });
  };
  const fork = () => {
    if (isStopping) return;
    const worker = crew.launch();
    worker.once('listening', () => {
      listening += 1;
      if (listening === count) ready.resolve();
    });
    keep(worker);
  };
  for (let index = 0; index < count; index += 1) fork();

  return {
    ready: ready.promise,
    failed: failed.promise,
    restart: async (deadlineMs) => {
      const former = crew.alive();
      const fresh = former.map(crew.launch);
      const isReplaced = (await Promise.all(fresh.map(isListening))).every(Boolean);
      if (isReplaced) {
        const living = new Set(crew.alive());
        for (const worker of fresh) {
          if (living.has(worker)) keep(worker);
          else fork();
        }
      }
      await crew.dismiss(isReplaced ? former : fresh, deadlineMs);
      return isReplaced;
    },
    stop: async (deadlineMs) => {
      isStopping = true;
      await crew.dismiss(crew.alive(), deadlineMs);
    },
  };
}

interface Crew {
  readonly launch: () => Worker;
  readonly alive: () => readonly Worker[];
  /** True for those that were dismissed: nobody takes their place when they end. */
  readonly isLeaving: (worker: Worker) => boolean;
  readonly dismiss: (workers: readonly Worker[], deadlineMs: number) => Promise<void>;
}

function createCrew(env: Readonly<Record<string, string>>): Crew {
  const alive = new Set<Worker>();
  const leaving = new WeakSet<Worker>();
  return {
    launch: () => {
      const compileCache = getCompileCacheDir();
      const worker = cluster.fork({
        ...env,
        ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
      });
      alive.add(worker);
      // `exit` only: a worker may be without its channel before it is gone.
      worker.process.once('exit', () => alive.delete(worker));
      return worker;
    },
    alive: () => [...alive],
    isLeaving: (worker) => leaving.has(worker),
    dismiss: async (workers, deadlineMs) => {
      const ending = workers.filter((worker) => alive.has(worker));
      for (const worker of ending) leaving.add(worker);
      await endWorkers(ending, deadlineMs);
    },
  };
}

/** False when it ends before that. */
async function isListening(worker: Worker): Promise<boolean> {
  return await new Promise((resolve) => {
    worker.once('listening', () => resolve(true));
    worker.process.once('exit', () => resolve(false));
  });
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
