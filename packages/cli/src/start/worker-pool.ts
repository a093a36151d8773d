import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Logger } from '@linnet/service/log/logger';

import { closeLostConnections, confirmClosedPort } from './passed-connections.ts';
import { replacedMessage, slotArguments } from './worker-settings.ts';

export interface WorkerPoolOptions {
  readonly count: number;
  /** Environment variables added to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly logger: Logger;
  /**
   * Called when a worker could not receive a connection, because it had no file descriptor left. Node.js gives it none
   * afterwards, so it must be replaced.
   */
  readonly onStarved: () => void;
}

export interface WorkerPool {
  /** Fulfilled when all initial workers are listening. */
  readonly ready: Promise<void>;
  /** Fulfilled when the workers of every slot died five times within a minute (`restart-policy.ts`). */
  readonly failed: Promise<void>;
  /**
   * Starts new workers from the current code and stops the previous ones once all new ones are listening. Readiness stays
   * as it is. Returns false if a new worker fails to start; the previous ones then keep running. Calls during a restart lead to
   * one more restart after it.
   */
  restart(deadlineMs: number): Promise<boolean>;
  /** Lets the workers finish their requests; kills them after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** Starts the workers and restarts those that die. */
export function startWorkers({ count, env, args, logger, onStarved }: WorkerPoolOptions): WorkerPool {
  const policy = createRestartPolicy(count);
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const workers = createWorkerSet({ count, env, args });
  let isStopping = false;
  let listening = 0;

  const supervise = (worker: Worker) => {
    onceRefused(worker, onStarved);
    onceGone(worker, (exitCode, signal) => {
      if (isStopping || workers.isRetired(worker)) return;
      const slot = workers.slotOf(worker);
      const delayMs = policy.afterDeath(slot, Date.now());
      logger.error({ worker: worker.process.pid, exitCode, signal, restartMs: delayMs }, 'a worker died');
      if (delayMs === undefined) failed.resolve();
      else setTimeout(start, delayMs, slot);
    });
  };
  // A slot whose worker died may have got another one by a replacement.
  const start = (slot: number) => {
    if (isStopping || workers.hasOneIn(slot)) return;
    const worker = workers.fork(slot);
    worker.once('listening', () => {
      listening += 1;
      if (listening === count) ready.resolve();
    });
    supervise(worker);
  };
  const startAll = () => {
    for (let slot = 0; slot < count; slot += 1) start(slot);
  };
  startAll();

  const replace = async (deadlineMs: number) => {
    if (isStopping) return false;
    const { previous, next, isReplaced } = await forkReplacements(workers);
    const retired = workers.retire(isReplaced ? previous : next, { deadlineMs, isReplaced: true });
    if (isReplaced) for (const worker of next) supervise(worker);
    // Slots whose worker died while it was replaced.
    startAll();
    await retired;
    return isReplaced;
  };

  return {
    ready: ready.promise,
    failed: failed.promise,
    restart: oneAtATime(replace),
    stop: async (deadlineMs) => {
      isStopping = true;
      await workers.retire(workers.running(), { deadlineMs, isReplaced: false });
    },
  };
}

function setUpWorkers(count: number): void {
  const exec = fileURLToPath(new URL('worker.ts', import.meta.url));
  cluster.setupPrimary({
    exec,
    execArgv: [...workerFlags({ count, memoryBytes: availableMemory() }), ...process.execArgv],
  });
}

interface WorkerSet {
  /** Starts a worker in a slot of the restart policy. */
  readonly fork: (slot: number) => Worker;
  readonly slotOf: (worker: Worker) => number;
  readonly running: () => readonly Worker[];
  /** Whether one that is not retired runs in the slot. */
  readonly hasOneIn: (slot: number) => boolean;
  /** True if `retire` was called for it: it must not be restarted. */
  readonly isRetired: (worker: Worker) => boolean;
  readonly retire: (workers: readonly Worker[], how: Retirement) => Promise<void>;
}

interface Retirement {
  /** Workers that are still running then are killed. */
  readonly deadlineMs: number;
  /** Whether other workers take over, so that the service stays ready. */
  readonly isReplaced: boolean;
}

function createWorkerSet({ count, env, args }: Pick<WorkerPoolOptions, 'count' | 'env' | 'args'>): WorkerSet {
  setUpWorkers(count);
  const running = new Set<Worker>();
  const retired = new WeakSet<Worker>();
  const slots = new WeakMap<Worker, number>();
  return {
    fork: (slot) => {
      cluster.setupPrimary({ args: [...args, ...slotArguments(slot)] });
      // Without a cache of compiled code: Node would keep it in memory, 10 MiB, to save 0.1 s of each start.
      const worker = cluster.fork(env);
      closeLostConnections(worker);
      confirmClosedPort(worker);
      running.add(worker);
      slots.set(worker, slot);
      // Not `disconnect`: a worker may lose its channel before it exits.
      onceGone(worker, () => running.delete(worker));
      return worker;
    },
    slotOf: (worker) => slots.get(worker) ?? 0,
    running: () => [...running],
    hasOneIn: (slot) => [...running].some((worker) => !retired.has(worker) && slots.get(worker) === slot),
    isRetired: (worker) => retired.has(worker),
    retire: async (workers, how) => {
      const stopping = workers.filter((worker) => running.has(worker));
      for (const worker of stopping) retired.add(worker);
      await stopWorkers(stopping, how);
    },
  };
}

/** Starts a worker for each that is running. `isReplaced`: all new ones are listening. */
async function forkReplacements(workers: WorkerSet) {
  const previous = workers.running();
  const next = previous.map((worker) => workers.fork(workers.slotOf(worker)));
  const isReplaced = (await Promise.all(next.map(isListening))).every(Boolean);
  return { previous, next, isReplaced };
}

/** False if it exits first. */
async function isListening(worker: Worker): Promise<boolean> {
  return await new Promise((resolve) => {
    worker.once('listening', () => resolve(true));
    onceGone(worker, () => resolve(false));
  });
}

type Gone = (exitCode: number | null, signal: NodeJS.Signals | null) => void;

/** Calls back when the worker has exited, or could not be started, for example for want of file descriptors. */
function onceGone(worker: Worker, callback: Gone): void {
  worker.process.once('exit', callback);
  // Without a listener, an error would end this process.
  worker.on('error', () => {
    if (worker.process.pid === undefined) callback(null, null);
  });
}

/** Calls back when the worker reports that a connection did not arrive. It does so in a message that Node.js ignores. */
function onceRefused(worker: Worker, callback: () => void): void {
  const listen = (message: unknown) => {
    if (Reflect.get(Object(message), 'cmd') !== 'NODE_HANDLE_NACK') return;
    worker.process.off('internalMessage', listen);
    callback();
  };
  worker.process.on('internalMessage', listen);
}

async function stopWorkers(workers: readonly Worker[], { deadlineMs, isReplaced }: Retirement): Promise<void> {
  const exits = workers.map((worker) => new Promise((resolve) => worker.process.once('exit', resolve)));
  for (const worker of workers) {
    if (isReplaced && worker.isConnected()) worker.send(replacedMessage);
    else worker.process.kill('SIGTERM');
  }
  const killTimer = setTimeout(() => {
    for (const worker of workers) worker.process.kill('SIGKILL');
  }, deadlineMs);
  await Promise.all(exits);
  clearTimeout(killTimer);
}

const windowMs = 60_000;
const maxDeaths = 5;
const firstDelayMs = 100;
const maxDelayMs = 10_000;

/** Decides whether and when a worker that died is replaced. Each worker has a slot, which its replacements keep. */
interface RestartPolicy {
  /**
   * Milliseconds to wait before the restart: twice as long after each death in the slot within the last minute, at most
   * 10 s. Undefined if the workers of every slot died five times within a minute: the service cannot run.
   */
  afterDeath(slot: number, nowMs: number): number | undefined;
}

export function createRestartPolicy(slots: number): RestartPolicy {
  const deaths: (readonly number[])[] = Array.from({ length: slots }, () => []);
  return {
    afterDeath: (slot, nowMs) => {
      for (const [index, times] of deaths.entries()) deaths[index] = times.filter((at) => nowMs - at < windowMs);
      const times = [...(deaths[slot] ?? []), nowMs];
      deaths[slot] = times;
      if (deaths.every(({ length }) => length >= maxDeaths)) return undefined;
      return Math.min(maxDelayMs, firstDelayMs * 2 ** (times.length - 1));
    },
  };
}

/** Returns a function that never does `work` twice at the same time: calls during a run share one more run, which begins after it. */
export function oneAtATime<Argument, Result>(
  work: (argument: Argument) => Promise<Result>,
): (argument: Argument) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  const runNext = async (argument: Argument) => {
    await Promise.allSettled([last]);
    next = undefined;
    const run = work(argument);
    last = run;
    return await run;
  };
  return async (argument) => await (next ??= runNext(argument));
}

/**
 * MiB of one half of the young generation. A smaller one is collected so often that much of it is still in use and moves to the old
 * generation; a larger one only costs memory ([reasons](../../../../docs/evidence/performance.md#memory)).
 */
const semiSpaceMiB = 8;
/**
 * MiB of the old generation at most. It holds 40 when idle. V8 lets it grow to four times what was in use before it collects
 * garbage if the limit is that of a large machine, and to 1.6 times with this one.
 */
const oldSpaceMiB = 1024;
/**
 * Threads that collect garbage and compile beside the thread that serves. V8 would start four: where each worker has one core, they
 * leave the serving thread a fifth of it while the old generation is marked, and requests wait for 60 to 110 ms
 * ([reasons](../../../../docs/evidence/performance.md#latency)).
 */
const helperThreads = 1;
/**
 * With this much memory for each worker, the code of Node.js moves to pages of 2 MiB, which saves a tenth of the CPU time. The workers then
 * do not share it ([cost](../../../../docs/evidence/performance.md#memory)).
 */
const bytesForLargePages = 2 ** 30;

interface Host {
  /** Workers. */
  readonly count: number;
  readonly memoryBytes: number;
}

/** Returns the options of Node.js and V8 that workers start with. */
export function workerFlags({ count, memoryBytes }: Host): readonly string[] {
  return [
    `--max-semi-space-size=${String(semiSpaceMiB)}`,
    `--max-old-space-size=${String(oldSpaceMiB)}`,
    `--v8-pool-size=${String(helperThreads)}`,
    // Hosts without large pages do without them.
    ...(memoryBytes / count >= bytesForLargePages ? ['--use-largepages=silent'] : []),
  ];
}

/** Returns how many bytes of memory this process and its workers may use: those of the host, or of the container if it has a limit. */
export function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit === 0 ? totalmem() : Math.min(limit, totalmem());
}
