import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { isolationArguments } from './isolation.ts';
import { memoryLimitedCommand, watchMemory } from './memory-limit.ts';

/** Limits of the decoder process. It is killed when it exceeds one. */
export interface DecoderLimits {
  readonly startMs: number;
  readonly jobMs: number;
  readonly residentBytes: number;
}

const megabyte = 1024 * 1024;

export const decoderLimits: DecoderLimits = { startMs: 10_000, jobMs: 5000, residentBytes: 768 * megabyte };

/** The process exited, or was killed because it exceeded a limit. */
export class DecoderExited extends Error {
  override readonly name = 'DecoderExited';
  /** True if it was killed for exceeding a limit: the same job would exceed it again. */
  readonly exceededLimit: boolean;

  constructor(reason: string, exceededLimit: boolean) {
    super(reason);
    this.exceededLimit = exceededLimit;
  }
}

export interface DecoderChild<Job, Result> {
  readonly pid: number | undefined;
  readonly isAlive: () => boolean;
  /** Runs one job. Call it again only after it has settled. @throws DecoderExited */
  run(job: Job): Promise<Result>;
  /** Resolves when the process has exited. */
  kill(): Promise<void>;
}

const ownScript = fileURLToPath(
  new URL(`./decoder-process.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

export interface ChildOptions {
  readonly limits: DecoderLimits;
  /** Set in the environment of the process, where it shows to which service the process belongs. */
  readonly dataDir: string;
  /** The files that the process may read and write, as a path that ends in `*`. */
  readonly jobFiles: string;
  readonly script?: string;
}

/** Starts the decoder process, or another `script` that takes jobs as it does. */
export function startDecoderChild<Job extends object, Result>({
  limits,
  dataDir,
  jobFiles,
  script = ownScript,
}: ChildOptions): DecoderChild<Job, Result> {
  const child = fork(script, [], {
    ...memoryLimitedCommand(isolationArguments({ script, jobFiles })),
    // Our own environment contains secrets, so none of it is passed on.
    env: { DATA_DIR: dataDir, MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = rejectOnExit(child);
  const ready = receiveMessage(child, exited);
  ready.catch(() => undefined); // run() awaits it and reports the error
  let killReason: string | undefined;
  const kill = (reason: string) => {
    killReason ??= reason;
    child.kill('SIGKILL');
  };
  const withTimeout = async <Value>(work: Promise<Value>, ms: number): Promise<Value> => {
    const timer = setTimeout(kill, ms, 'it took too long');
    try {
      return await work;
    } catch (error) {
      throw new DecoderExited(killReason ?? String(error), killReason !== undefined);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    pid: child.pid,
    isAlive: () => child.exitCode === null && child.signalCode === null && child.connected,
    run: async (job) => {
      await withTimeout(ready, limits.startMs);
      using _watch = watchMemory(child, () => kill('it took too much memory'), limits.residentBytes);
      const result = receiveMessage(child, exited);
      child.send(job, () => undefined); // sending fails only if the channel is closed, and then `exited` rejects
      return (await withTimeout(result, limits.jobMs)) as Result; // our own script sends nothing else
    },
    kill: async () => {
      kill('the service is stopping');
      await exited.catch(() => undefined);
    },
  };
}

/** Rejects when the process has exited. */
function rejectOnExit(child: ChildProcess): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  child.once('error', reject);
  child.once('exit', (exitCode, signal) => reject(new Error(`it exited: ${String(signal ?? exitCode)}`)));
  promise.catch(() => undefined);
  return promise;
}

async function receiveMessage(child: ChildProcess, exited: Promise<never>): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  child.once('message', resolve);
  try {
    return await Promise.race([promise, exited]);
  } finally {
    child.off('message', resolve);
  }
}
