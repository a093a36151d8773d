import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface IsolationOptions {
  /** The script of the process. */
  readonly script: string;
  /** The only files that the process may read and write, as a path that ends in `*`. */
  readonly jobFiles: string;
}

/**
 * Node's permission model for the decoder process: its JavaScript can read its own modules and the files of jobs,
 * write the files of jobs, and neither start a process nor a thread. So it reads neither DATA_DIR nor `/proc`. It
 * allows the native module of sharp, because it must: code that takes over the decoder through that library has the
 * rights of the process, not those of the model.
 *
 * The model does not restrict network connections.
 */
function isolationArguments({ script, jobFiles }: IsolationOptions): readonly string[] {
  const readable = [script, ownDirectory, modulesDirectory, jobFiles];
  return [
    permission,
    '--allow-addons',
    // Node warns that native modules can do more.
    '--disable-warning=PERM0001',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${jobFiles}`,
  ];
}

/** The name of the option before Node 22.13. */
const experimental = '--experimental-permission';
const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : experimental;
/** The modules of this package, or of the bundle. */
const ownDirectory = withEverythingBelow(dirname(findPackageJSON(import.meta.url) ?? import.meta.filename));
/** `node_modules` of the installation, which contains sharp and its dependencies. */
const modulesDirectory = withEverythingBelow(
  fileURLToPath(import.meta.resolve('sharp').replace(/(\/node_modules)\/.*$/, '$1')),
);

function withEverythingBelow(directory: string): string {
  return `${directory}${sep}*`;
}

const heapMegabytes = 64;
/** RLIMIT_DATA. The kernel enforces it at once, where polling would notice too late. */
const dataMegabytes = 1536;
const pollMs = 25;

/**
 * Returns options for `fork` that start Node through a shell, which sets RLIMIT_DATA. Windows has no such limit; there,
 * only `watchMemory` protects. `execArgv`: further options of Node.
 */
function memoryLimitedCommand(execArgv: readonly string[]): {
  readonly execPath: string;
  readonly execArgv: string[];
} {
  const options = [`--max-old-space-size=${String(heapMegabytes)}`, ...execArgv];
  if (process.platform === 'win32') return { execPath: process.execPath, execArgv: options };
  const limited = `ulimit -d ${String(dataMegabytes * 1024)} 2>/dev/null; exec "$0" "$@"`;
  return { execPath: '/bin/sh', execArgv: ['-c', limited, process.execPath, ...options] };
}

/** Polls the resident memory of a process until disposal, on systems with proc(5). */
function watchMemory({ pid }: ChildProcess, onExceeded: () => void, maxBytes: number): Disposable {
  const timer = setInterval(() => {
    void readResident(pid).then((bytes) => {
      if (bytes > maxBytes) onExceeded();
    });
  }, pollMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Ends a job that takes too long, until disposal. Where there is no proc(5), the time counts as if the process had a CPU for itself.
 */
function watchTime(
  { pid }: ChildProcess,
  onExceeded: (blame: Blame) => void,
  { jobMs, busyJobMs }: DecoderLimits,
): Disposable {
  const [start, cpuBefore] = [performance.now(), readCpuMs(pid) ?? 0];
  const check = () => {
    const elapsed = performance.now() - start;
    const spent = (readCpuMs(pid) ?? Infinity) - cpuBefore;
    if (elapsed >= jobMs && spent >= jobMs / 2) onExceeded('job');
    else if (elapsed >= busyJobMs) onExceeded('machine');
  };
  const timer = setInterval(check, Math.min(jobMs / 4, busyJobMs));
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const clockTickMs = 10;

/** CPU time of a process; undefined where there is no proc(5). */
function readCpuMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * clockTickMs;
  } catch {
    return undefined;
  }
}

async function readResident(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Limits of the decoder process. It is killed when it exceeds one. */
export interface DecoderLimits {
  readonly startMs: number;
  /** For a job that gets at least half of a CPU. */
  readonly jobMs: number;
  /** For a job that gets less, because the machine is busy. */
  readonly busyJobMs: number;
  readonly residentBytes: number;
}

const megabyte = 1024 * 1024;

export const decoderLimits: DecoderLimits = {
  startMs: 10_000,
  jobMs: 5000,
  busyJobMs: 30_000,
  residentBytes: 768 * megabyte,
};

/** `job`: it would exceed the limit again. `machine`: it was given too little CPU time. `unknown`: it exited by itself. */
type Blame = 'job' | 'machine' | 'unknown';

/** The process exited, or was killed because it exceeded a limit. */
export class DecoderExited extends Error {
  override readonly name = 'DecoderExited';
  readonly blame: Blame;

  constructor(reason: string, blame: Blame) {
    super(reason);
    this.blame = blame;
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

const ownScript = fileURLToPath(new URL('decoder-process.ts', import.meta.url));

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
  let killed: { readonly reason: string; readonly blame: Blame } | undefined;
  const kill = (reason: string, blame: Blame) => {
    killed ??= { reason, blame };
    child.kill('SIGKILL');
  };
  const unlessExited = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      throw new DecoderExited(killed?.reason ?? String(error), killed?.blame ?? 'unknown');
    }
  };
  const start = async () => {
    const timer = setTimeout(kill, limits.startMs, 'it did not start in time', 'machine');
    await unlessExited(ready).finally(() => clearTimeout(timer));
  };
  return {
    pid: child.pid,
    isAlive: () => child.exitCode === null && child.signalCode === null && child.connected,
    run: async (job) => {
      await start();
      using _memory = watchMemory(child, () => kill('it took too much memory', 'job'), limits.residentBytes);
      using _time = watchTime(child, (blame) => kill('it took too long', blame), limits);
      const result = receiveMessage(child, exited);
      child.send(job, () => undefined); // sending fails only if the channel is closed, and then `exited` rejects
      return (await unlessExited(result)) as Result; // our own script sends nothing else
    },
    kill: async () => {
      kill('the service is stopping', 'unknown');
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
