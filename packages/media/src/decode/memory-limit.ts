import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const heapMegabytes = 64;
/** RLIMIT_DATA. The kernel enforces it at once, where polling would notice too late. */
const dataMegabytes = 1536;
const pollMs = 25;

/**
 * Returns options for `fork` that start Node through a shell, which sets RLIMIT_DATA. Windows has no such limit; there,
 * only `watchMemory` protects. `execArgv`: further options of Node.
 */
export function memoryLimitedCommand(execArgv: readonly string[]): {
  readonly execPath: string;
  readonly execArgv: string[];
} {
  const options = [`--max-old-space-size=${String(heapMegabytes)}`, ...execArgv];
  if (process.platform === 'win32') return { execPath: process.execPath, execArgv: options };
  const limited = `ulimit -d ${String(dataMegabytes * 1024)} 2>/dev/null; exec "$0" "$@"`;
  return { execPath: '/bin/sh', execArgv: ['-c', limited, process.execPath, ...options] };
}

/** Polls the resident memory of a process until disposal, on systems with proc(5). */
export function watchMemory({ pid }: ChildProcess, onExceeded: () => void, maxBytes: number): Disposable {
  const timer = setInterval(() => {
    void readResident(pid).then((bytes) => {
      if (bytes > maxBytes) onExceeded();
    });
  }, pollMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function readResident(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
