/** Messages that were written to files, where there is no mail server: they hold links and addresses, and go after a month. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const keptMs = 30 * 24 * 3600 * 1000;
/** A draft is one that a process which died left behind. */
const ours = /^\d+\.eml(?:\.draft)?$/;

/** Removes messages older than 30 days; whatever else is in the folder stays. */
export async function sweepMailFiles(directory: string, now = Date.now()): Promise<void> {
  for (const name of await namesIn(directory)) {
    if (!ours.test(name)) continue;
    const path = join(directory, name);
    const file = await stat(path).catch(unlessMissing);
    if (file !== undefined && file.mtimeMs < now - keptMs) await rm(path, { force: true });
  }
}

/** Nothing was written yet where there is no folder. */
async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(unlessMissing)) ?? [];
}

/** Another process may have removed it. @throws whatever else is wrong */
function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
