/*
 * One service per DATA_DIR. `linnet.lock` names the process that has it, from its first moment to its
 * last: process number and start time, so that a number which is used again misleads nobody.
 * `linnet.pid` holds the number alone, for operators, while the service is ready. Files of a process
 * that is gone are no obstacle.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CommandError } from '../failure.ts';
import { describeProcess } from './process-identity.ts';

export interface Instance extends AsyncDisposable {
  /** Writes linnet.pid. */
  announce(): Promise<void>;
}

/**
 * Claims DATA_DIR, which is made if need be, for this process until disposed of.
 * @throws CommandError `already-running` with the other's process number; `data-dir` when it cannot be written.
 */
export async function claimInstance(dataDir: string): Promise<Instance> {
  const lock = join(dataDir, 'linnet.lock');
  const pidFile = join(dataDir, 'linnet.pid');
  const own = await describeProcess(process.pid);
  const content = `${String(process.pid)} ${own?.startedAt ?? ''}\n`;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    while (!(await createExclusively(lock, content))) await removeStale(lock, dataDir);
    await rm(pidFile, { force: true });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('data-dir', `DATA_DIR cannot be used: ${reason}`, { cause: error });
  }
  return {
    announce: () => writeFile(pidFile, `${String(process.pid)}\n`, { mode: 0o644 }),
    [Symbol.asyncDispose]: async () => {
      if ((await readText(lock)) !== content) return;
      await rm(pidFile, { force: true });
      await rm(lock, { force: true });
    },
  };
}

/** The process number of the service that has DATA_DIR, starting and stopping ones included. */
export async function findInstance(dataDir: string): Promise<number | undefined> {
  return await livingOwner(await readText(join(dataDir, 'linnet.lock')));
}

/** link(2) never replaces a file, and the file it names is whole. */
async function createExclusively(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isMissingOrPresent(error)) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Takes the lock of a process that is gone out of the way. */
async function removeStale(lock: string, dataDir: string): Promise<void> {
  const owner = await livingOwner(await readText(lock));
  if (owner !== undefined) throw alreadyRunning(owner, dataDir);
  const removed = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, removed);
  } catch (error) {
    if (isMissingOrPresent(error)) return; // another process was faster
    throw error;
  }
  // Between the look and the rename a faster process may have made its own: give it back.
  const newOwner = await livingOwner(await readText(removed));
  if (newOwner !== undefined) await link(removed, lock).catch(() => undefined);
  await rm(removed, { force: true });
  if (newOwner !== undefined) throw alreadyRunning(newOwner, dataDir);
}

function alreadyRunning(pid: number, dataDir: string): CommandError {
  return new CommandError(
    'already-running',
    `The service runs already on ${dataDir} (process ${String(pid)}). "linnet stop" ends it.`,
  );
}

async function livingOwner(content: string | undefined): Promise<number | undefined> {
  const [pid = '', startedAt] = content?.trim().split(' ') ?? [];
  if (!/^\d+$/.test(pid)) return undefined;
  const found = await describeProcess(Number(pid));
  return found !== undefined && found.startedAt === startedAt ? Number(pid) : undefined;
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}

function isMissingOrPresent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOENT');
}
