import { readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Contents of `postmaster.pid`, which a running server keeps in its data directory (pidfile.h). */
export interface PostmasterFile {
  readonly pid: number;
  /** Missing at the beginning of a start. */
  readonly socketDirectory: string | undefined;
}

const pidLine = 0;
const socketDirectoryLine = 4;

/** Returns the server that runs on `directory`, if any. Ignores the file of a server that died. */
export async function findPostmaster(directory: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(directory);
  return file !== undefined && (await isPostmaster(file.pid, directory)) ? file : undefined;
}

/** Reads `postmaster.pid`. Returns `undefined` if it does not exist or is not written yet. */
export async function readPostmasterFile(directory: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[pidLine]);
  const socketDirectory = lines[socketDirectoryLine];
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: socketDirectory === '' ? undefined : socketDirectory };
}

/** A server writes its lock file within microseconds of creating it; an empty file this old belongs to none. */
const maxEmptyMs = 2000;

/**
 * Removes lock files that keep PostgreSQL from starting although no server holds them: those of a server that died and
 * whose process id now belongs to another program (common after a container restarts), and those of one that died
 * before it wrote its process id.
 */
export async function removeStaleLocks(directory: string): Promise<void> {
  await removeOldEmptyLock(join(directory, 'postmaster.pid'));
  const file = await readPostmasterFile(directory);
  if (file === undefined || !isAlive(file.pid) || (await isPostmaster(file.pid, directory))) return;
  if (file.socketDirectory !== undefined) {
    await rm(join(file.socketDirectory, '.s.PGSQL.5432.lock'), { force: true });
  }
  await rm(join(directory, 'postmaster.pid'), { force: true });
}

async function removeOldEmptyLock(path: string): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (status?.size === 0 && Date.now() - status.mtimeMs > maxEmptyMs) await rm(path, { force: true });
}

/** True if a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM';
  }
}

/**
 * True if the process is a server on `directory` (on Linux; elsewhere, if it exists). The working directory of a
 * server is its data directory, from before it writes the file until it exits.
 */
export async function isPostmaster(pid: number, directory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return (await readlink(`/proc/${String(pid)}/cwd`)) === (await realpath(directory));
  } catch (error) {
    return error instanceof Error && Reflect.get(error, 'code') === 'EACCES';
  }
}
