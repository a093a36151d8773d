import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Keeps the measured processes on the first core, and the load generator and PostgreSQL on the others. Says so
 * where it cannot, because there is one core only or taskset(1) is missing.
 */
export async function separateCores(measured: readonly number[], others: readonly number[]): Promise<void> {
  const last = cpus().length - 1;
  const pin = async (pids: readonly number[], cores: string) =>
    await Promise.all(pids.map(async (pid) => await run('taskset', ['-acp', cores, String(pid)])));
  try {
    if (last === 0) throw new Error('there is one core only');
    await pin(measured, '0');
    await pin(others, last === 1 ? '1' : `1-${String(last)}`);
  } catch {
    console.log('not pinned to cores: figures vary more');
  }
}
