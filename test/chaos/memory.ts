import { readFile } from 'node:fs/promises';

/** Resident memory of processes together, in kilobytes. Those that have exited count as nothing. */
export async function readMemory(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(
    pids.map(async (pid) => await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '')),
  );
  return texts.reduce((sum, text) => sum + Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0), 0);
}
