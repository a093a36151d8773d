import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { DecodeAnswer, DecodeJob } from './decode-job.ts';

/** Ceilings of the decoding process; beyond any of them it is killed. */
export interface DecoderLimits {
  readonly startMs: number;
  readonly jobMs: number;
  readonly residentBytes: number;
}

const megabyte = 1024 * 1024;

export const decoderLimits: DecoderLimits = { startMs: 10_000, jobMs: 5000, residentBytes: 768 * megabyte };

const heapMegabytes = 64;
/** For what the watch would see too late: the kernel refuses more private memory than this. */
const dataMegabytes = 1536;
const watchMs = 25;

/** The process died, or was killed for going beyond a ceiling. */
export class DecoderDied extends Error {
  override readonly name = 'DecoderDied';
  /** True when it was killed by us: the same job would end alike. */
  readonly isOurs: boolean;

  constructor(reason: string, isOurs: boolean) {
    super(reason);
    this.isOurs = isOurs;
  }
}

export interface DecoderChild {
  readonly pid: number | undefined;
  readonly isAlive: () => boolean;
  /** One job at a time. @throws DecoderDied */
  run(job: DecodeJob): Promise<DecodeAnswer>;
  /** Resolves once it is gone. */
  kill(): Promise<void>;
}

const ownScript = fileURLToPath(
  new URL(`./decoder-process.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

export interface ChildOptions {
  readonly limits: DecoderLimits;
  /** Stands in the process's environment, and says to whom it belongs. */
  readonly dataDir: string;
  readonly script?: string;
}

/** Starts the decoding process. */
export function startDecoderChild({ limits, dataDir, script = ownScript }: ChildOptions): DecoderChild {
  const child = fork(script, [], {
    ...underMemoryLimit(),
    // Nothing of our environment: it holds secrets.
    env: { DATA_DIR: dataDir, MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const end = watchEnd(child);
  const ready = nextMessage(child, end);
  ready.catch(() => undefined); // told by run()
  let whyKilled: string | undefined;
  const kill = (reason: string) => {
    whyKilled ??= reason;
    child.kill('SIGKILL');
  };
  const within = async <Result>(work: Promise<Result>, ms: number): Promise<Result> => {
    const timer = setTimeout(kill, ms, 'it took too long');
    try {
      return await work;
    } catch (error) {
      throw new DecoderDied(whyKilled ?? String(error), whyKilled !== undefined);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    pid: child.pid,
    isAlive: () => child.exitCode === null && child.signalCode === null && child.connected,
    run: async (job) => {
      await within(ready, limits.startMs);
      using _watch = watchMemory(child, () => kill('it took too much memory'), limits.residentBytes);
      const answer = nextMessage(child, end);
      child.send(job, () => undefined); // a failure is the end of the channel, which `end` tells
      return (await within(answer, limits.jobMs)) as DecodeAnswer; // our own script says nothing else
    },
    kill: async () => {
      kill('the service ends');
      await end.catch(() => undefined);
    },
  };
}

/** A shell sets the limit that the kernel holds; where there is none, the watch has to do. */
function underMemoryLimit(): { readonly execPath: string; readonly execArgv: string[] } {
  const heap = `--max-old-space-size=${String(heapMegabytes)}`;
  if (process.platform === 'win32') return { execPath: process.execPath, execArgv: [heap] };
  const limited = `ulimit -d ${String(dataMegabytes * 1024)} 2>/dev/null; exec "$0" "$@"`;
  return { execPath: '/bin/sh', execArgv: ['-c', limited, process.execPath, heap] };
}

/** Rejects when the process is gone. */
function watchEnd(child: ChildProcess): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  child.once('error', reject);
  child.once('exit', (exitCode, signal) => reject(new Error(`it ended: ${String(signal ?? exitCode)}`)));
  promise.catch(() => undefined);
  return promise;
}

async function nextMessage(child: ChildProcess, end: Promise<never>): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  child.once('message', resolve);
  try {
    return await Promise.race([promise, end]);
  } finally {
    child.off('message', resolve);
  }
}

/** Looks at the resident memory, where proc(5) is there to tell it. */
function watchMemory({ pid }: ChildProcess, onTooMuch: () => void, maxBytes: number): Disposable {
  const timer = setInterval(() => {
    void readResident(pid).then((bytes) => {
      if (bytes > maxBytes) onTooMuch();
    });
  }, watchMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function readResident(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
