import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { promisify } from 'node:util';

import { findTrees } from './process-usage.ts';

const run = promisify(execFile);

/**
 * Keeps the measured processes on the first core, and the others, such as the load generator and PostgreSQL, elsewhere; each with its
 * descendants. The measured ones may be descendants of the others. Where there is one core only or taskset(1) is missing, it says so.
 */
export async function separateCores(measured: readonly number[], others: readonly number[]): Promise<void> {
  const last = cpus().length - 1;
  const pin = async (roots: readonly number[], cores: string) => {
    const pids = await findTrees(roots);
    // A connection that ends meanwhile takes its process with it.
    const results = await Promise.allSettled(
      pids.map(async (pid) => await run('taskset', ['-acp', cores, String(pid)])),
    );
    if (results.every(({ status }) => status === 'rejected')) throw new Error('taskset failed');
  };
  try {
    if (last === 0) throw new Error('there is one core only');
    await pin(others, last === 1 ? '1' : `1-${String(last)}`);
    await pin(measured, '0');
  } catch {
    console.log('not pinned to cores: figures vary more');
  }
}
