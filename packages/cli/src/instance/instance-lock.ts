/*
 * One service per DATA_DIR. `linnet.lock` exists from the start of the process to its end and holds its id and start
 * time, because process ids are reused. `linnet.pid` holds just the id, for operators, while the service is ready. Files
 * left behind by a dead process are replaced.
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
 * Claims DATA_DIR for this process until disposed of; creates the directory if necessary.
 * @throws CommandError `already-running` with the id of the other process; `data-dir` if it is not writable
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

/** The id of the process that has claimed DATA_DIR, even if it is starting or stopping. */
export async function findInstance(dataDir: string): Promise<number | undefined> {
  return await runningOwner(await readText(join(dataDir, 'linnet.lock')));
}

/**
 * Creates `path` with this content, or replaces the file of a dead process. If a running process owns the file, returns
 * its id and changes nothing. A process that replaces a file holds `<path>.takeover`; otherwise a slow process could
 * replace the file that a faster one has just created.
 */
async function take(path: string, content: string): Promise<number | undefined> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
  try {
    for (;;) {
      if (await linkNew(draft, path)) return undefined;
      const found = await readText(path);
      const owner = await runningOwner(found);
      if (owner !== undefined) return owner;
      if (found !== undefined && (await replace(draft, path, { found, content }))) return undefined;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Unlike writing, link(2) never replaces a file and never shows a partial one. */
async function linkNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** False if another process is replacing it or was faster. */
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
    `The service is already running on ${dataDir} (process ${String(pid)}). Stop it with "linnet stop".`,
  );
}

async function runningOwner(content: string | undefined): Promise<number | undefined> {
  const [pid = '', startedAt] = content?.trim().split(' ') ?? [];
  if (!/^\d+$/.test(pid)) return undefined;
  const found = await describeProcess(Number(pid));
  return found !== undefined && found.startedAt === startedAt ? Number(pid) : undefined;
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
