/*
 * One service per DATA_DIR. `linnet.lock` exists from the start of the process to its end and holds its id and start
 * time, because process ids are reused, and its host, where they are valid. `linnet.pid` holds just the id, for operators,
 * while the service is ready. Files left behind by a dead process are replaced. A process of another host or container, with
 * which this one shares DATA_DIR, is alive while it keeps touching its lock.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { CommandError } from '../failure.ts';
import { keepTouching, observeTouch } from './lock-touches.ts';
import { describeProcess } from './process-identity.ts';

const takeoverPollMs = 5;
/** Process id, its start time, id and name of the host. */
const lockPattern = /^(\d+) (\S*) (\S+) (\S+)\s*$/;
const touchEveryMs = 2000;
/** Without a touch for so long, a process of another host is dead. */
const patienceMs = 20_000;

/** The process that has claimed DATA_DIR. */
interface Owner {
  readonly pid: number;
  /** The name of its host; undefined if it is this one. */
  readonly otherHost: string | undefined;
}

interface ClaimOptions {
  /** How long to wait for a touch by another host. Default: 20 s. */
  readonly patienceMs?: number;
}

export interface Instance extends AsyncDisposable {
  /** Writes linnet.pid. */
  announce(): Promise<void>;
}

/**
 * Claims DATA_DIR for this process until disposed of; creates the directory if necessary.
 * @throws CommandError `already-running` with the other process and its host; `data-dir` if it is not writable
 */
export async function claimInstance(dataDir: string, options: ClaimOptions = {}): Promise<Instance> {
  const lock = join(dataDir, 'linnet.lock');
  const pidFile = join(dataDir, 'linnet.pid');
  const own = await describeProcess(process.pid);
  const host = await describeHost();
  const content = `${String(process.pid)} ${own?.startedAt ?? ''} ${host.id} ${host.name}\n`;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const owner = await take(lock, content, options.patienceMs ?? patienceMs);
    if (owner !== undefined) throw alreadyRunning(owner, dataDir);
    await rm(pidFile, { force: true });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('data-dir', `DATA_DIR cannot be used: ${reason}`, { cause: error });
  }
  const touching = keepTouching(lock, touchEveryMs);
  return {
    announce: () => writeFile(pidFile, `${String(process.pid)}\n`, { mode: 0o644 }),
    [Symbol.asyncDispose]: async () => {
      touching[Symbol.dispose]();
      if ((await readText(lock)) !== content) return;
      await rm(pidFile, { force: true });
      await rm(lock, { force: true });
    },
  };
}

/**
 * The id of the process of this host that has claimed DATA_DIR, even if it is starting or stopping.
 * @throws CommandError `already-running` if it is a process of another host
 */
export async function findInstance(dataDir: string): Promise<number | undefined> {
  const owner = await findOwner(join(dataDir, 'linnet.lock'), patienceMs);
  if (owner?.otherHost !== undefined) throw alreadyRunning(owner, dataDir);
  return owner?.pid;
}

/**
 * Creates `path` with this content, or replaces the file of a dead process. If a running process owns the file, returns
 * it and changes nothing. A process that replaces a file holds `<path>.takeover`; otherwise a slow process could
 * replace the file that a faster one has just created.
 */
async function take(path: string, content: string, patience: number): Promise<Owner | undefined> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { flag: 'wx', mode: 0o600 });
  try {
    for (;;) {
      if (await linkNew(draft, path)) return undefined;
      const found = await readText(path);
      const owner = await findOwner(path, patience);
      if (owner !== undefined) return owner;
      if (found !== undefined && (await replace(draft, path, { found, content, patience }))) return undefined;
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
  { found, content, patience }: { readonly found: string; readonly content: string; readonly patience: number },
): Promise<boolean> {
  const takeover = `${path}.takeover`;
  if ((await take(takeover, content, patience)) !== undefined) {
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

function alreadyRunning({ pid, otherHost }: Owner, dataDir: string): CommandError {
  const [where, remedy] =
    otherHost === undefined
      ? ['', 'Stop it with "linnet stop".']
      : [` on the host ${otherHost}`, 'Stop it there, or set another DATA_DIR for this host.'];
  return new CommandError(
    'already-running',
    `The service is already running on ${dataDir} (process ${String(pid)}${where}). ${remedy}`,
  );
}

/** The running process that the file names. */
async function findOwner(path: string, patience: number): Promise<Owner | undefined> {
  const content = (await readText(path)) ?? '';
  const [, pid = '', startedAt = '', hostId, hostName] = lockPattern.exec(content) ?? [];
  if (pid === '') return undefined;
  if (hostId === (await describeHost()).id) {
    return (await isRunning(Number(pid), startedAt)) ? { pid: Number(pid), otherHost: undefined } : undefined;
  }
  return (await observeTouch(path, content, patience)) ? { pid: Number(pid), otherHost: hostName } : undefined;
}

async function isRunning(pid: number, startedAt: string): Promise<boolean> {
  return (await describeProcess(pid))?.startedAt === startedAt;
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}

interface Host {
  /** The same for all processes that see each other by their ids, without spaces. */
  readonly id: string;
  /** For people, without spaces. */
  readonly name: string;
}

/**
 * Describes where the ids of processes are valid: on Linux until the next boot, within one namespace of process ids (see
 * pid_namespaces(7)), so every container is a host of its own.
 */
export async function describeHost(): Promise<Host> {
  const name = hostname().replaceAll(/\s+/g, '-') || 'unknown';
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const namespace = /\d+/.exec(await readlink('/proc/self/ns/pid'))?.[0] ?? '';
    return { id: `${boot}/${namespace}`, name };
  } catch {
    return { id: name, name };
  }
}
