/** Messages written to files when no mail server is configured. They contain links and addresses, so they are deleted. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { durationOf, retention } from '@linnet/db/keep/retention';

const keptMs = durationOf(retention.file.mail);
/** Drafts remain when a process crashes. */
const mailFile = /^\d+\.eml(?:\.draft)?$/;

/** Deletes messages older than 30 days, and no other file. */
export async function sweepMailFiles(directory: string, now = Date.now()): Promise<void> {
  for (const name of await namesIn(directory)) {
    if (!mailFile.test(name)) continue;
    const path = join(directory, name);
    const file = await stat(path).catch(unlessMissing);
    if (file !== undefined && file.mtimeMs < now - keptMs) await rm(path, { force: true });
  }
}

/** The folder does not exist before the first message. */
async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(unlessMissing)) ?? [];
}

/** Ignores files that another process has deleted. @throws any other error */
function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
