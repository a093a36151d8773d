/*
 * One service per DATA_DIR. `linnet.lock` names the process that has it, from its first moment to its
 * last: process number and start time, so that a number which is used again misleads nobody.
 * `linnet.pid` holds the number alone, for operators, while the service is ready. Files of a process
 * that is gone are no obstacle.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { CommandError } from '../failure.ts';
import { describeProcess } from './process-identity.ts';

const takeoverPollMs = 5;

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
    const owner = await take(lock, content);
    if (owner !== undefined) throw alreadyRunning(owner, dataDir);
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

/**
 * Makes `path` with this content, in the place of a file that a process left behind which is gone. Answers the
 * number of the living process that has it otherwise. Whoever replaces a file that was left behind has
 * `<path>.takeover` meanwhile: else a slow one could replace what a faster one has just made.
 */
async function take(path: string, content: string): Promise<number | undefined> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
  try {
    for (;;) {
      if (await linkNew(draft, path)) return undefined;
      const found = await readText(path);
      const owner = await livingOwner(found);
      if (owner !== undefined) return owner;
      if (found !== undefined && (await replace(draft, path, { found, content }))) return undefined;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** link(2) never replaces a file, and the file it names is whole. */
async function linkNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** False when another process is at it, or was faster. */
async function replace(
  draft: string,
  path: string,
  { found, content }: { readonly found: string; readonly content: string },
): Promise<boolean> {
  const takeover = `${path}.takeover`;
  if ((await take(takeover, content)) !== undefined) {
    await delay(takeoverPollMs);
    return false;
  }
  try {
    if ((await readText(path)) !== found) return false;
    await rename(draft, path);
    return true;
  } finally {
    await rm(takeover, { force: true });
  }
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
