import { readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server writes into its data directory (`postmaster.pid`, pidfile.h). */
export interface PostmasterFile {
  readonly pid: number;
  /** Missing for the first moments of a start. */
  readonly socketDirectory: string | undefined;
}

const pidLine = 0;
const socketDirectoryLine = 4;

/** The server that runs on `directory`, if one does. A file that a dead server left is not one. */
export async function findPostmaster(directory: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(directory);
  return file !== undefined && (await isPostmaster(file.pid, directory)) ? file : undefined;
}

/** Reads `postmaster.pid`; undefined when there is none or it is not written yet. */
export async function readPostmasterFile(directory: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[pidLine]);
  const socketDirectory = lines[socketDirectoryLine];
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: socketDirectory === '' ? undefined : socketDirectory };
}

/** A server writes its lock file within microseconds of creating it. */
const emptyForMs = 2000;

/**
 * Removes the lock files that stop PostgreSQL from starting though no server has them: of one that
 * died when its process number has meanwhile gone to another program (usual after the restart of a
 * container), and of one that died before it wrote its number.
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
  if (status?.size === 0 && Date.now() - status.mtimeMs > emptyForMs) await rm(path, { force: true });
}

/** True while a process with this number exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM';
  }
}

/**
 * True while the process is a server on `directory` (on Linux; elsewhere: while it exists).
 * PostgreSQL works in its data directory, before it writes the file and until it ends.
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
