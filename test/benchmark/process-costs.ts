import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { linnet, repositoryRoot, startService } from '../support/service.ts';
import { usageOfProcess } from './process-usage.ts';
import type { World } from './world.ts';

const run = promisify(execFile);

/** What a process of Linnet, or its installation, takes. */
export interface ProcessCost {
  readonly name: string;
  readonly value: number;
  readonly unit: 'MiB' | 'ms of CPU' | 's';
}

const mebibyte = 2 ** 20;

/** After the loads: memory of the processes, now and when they had started, and the CPU time of starts. */
export async function measureProcesses({
  starts,
  workerPids: [workerPid = 0],
}: World): Promise<readonly ProcessCost[]> {
  if (starts === undefined) throw new Error('nothing is known of the start of this service');
  const [primary, worker] = [await usageOfProcess(starts.primaryPid), await usageOfProcess(workerPid)];
  const memory = (name: string, { rssBytes }: { readonly rssBytes: number }) =>
    ({ name, value: rssBytes / mebibyte, unit: 'MiB' }) as const;
  const start = (name: string, cpuMicroseconds: number) =>
    ({ name, value: cpuMicroseconds / 1000, unit: 'ms of CPU' }) as const;
  return [
    memory('worker, idle', starts.worker),
    memory('worker, after all calls', worker),
    memory('primary, idle', starts.primary),
    memory('primary, after all calls', primary),
    start('linnet --version', await costOfVersion()),
    start('start of the primary', starts.primary.cpuMicroseconds),
    start('start of a worker', starts.worker.cpuMicroseconds),
  ];
}

/** CPU times are multiples of 10 ms, so the command runs many times. */
const versionRuns = 20;

/** Microseconds. A shell runs the command, and its own CPU time includes that of the commands that have ended. */
async function costOfVersion(): Promise<number> {
  const script = `for i in $(seq ${String(versionRuns)}); do "$@" > /dev/null || exit; done; echo done; read -r line`;
  const shell = spawn('sh', ['-c', script, 'sh', ...linnet, '--version'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await Promise.race([once(shell.stdout, 'data'), once(shell, 'exit')]);
  if (shell.exitCode !== null) throw new Error('linnet --version failed');
  const { cpuMicroseconds } = await usageOfProcess(shell.pid ?? 0);
  shell.stdin.end('\n');
  return cpuMicroseconds / versionRuns;
}

/** From a clone of the last commit to a service that is ready, by the command of the README. The packages that pnpm has stored need no download. */
export async function measureInstallation(): Promise<ProcessCost> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-clone-'));
  try {
    const startedAt = performance.now();
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${repositoryRoot}`, directory]);
    await using _service = await startService({
      command: ['npx', 'pnpm@12', '--dir', directory, 'start'],
      // pnpm sets it for what it runs: the clone would not be installed.
      env: { pnpm_config_verify_deps_before_run: undefined },
      emptyDataDir: true,
    });
    return { name: 'clean clone to ready', value: (performance.now() - startedAt) / 1000, unit: 's' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
