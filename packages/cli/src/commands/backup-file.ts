import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';

import { CommandError } from '../failure.ts';

/** Writes `FILE.partial`, syncs it, and gives it its name when it is complete. */
export async function writeTo<Result>(to: string, work: (output: Writable) => Promise<Result>): Promise<Result> {
  if (to === '-') return await work(process.stdout);
  const draft = `${to}.partial`;
  try {
    await requireAbsent(to);
    const result = await work(createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, to);
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw toFileError(to, error);
  }
}

async function requireAbsent(file: string): Promise<void> {
  const isPresent = await stat(file).then(
    () => true,
    () => false,
  );
  if (isPresent) throw new CommandError('backup-file', `The file ${JSON.stringify(file)} exists. Choose another name.`);
}

/** Errors of the file system name the file; others stay as they are. */
export function toFileError(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error && !('severity' in error))) return error;
  return new CommandError('backup-file', `The file ${JSON.stringify(file)} cannot be used (${error.message}).`, {
    cause: error,
  });
}
