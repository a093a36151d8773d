/*
 * The data directory is made under another name and renamed when it is whole. So an initdb that
 * was interrupted leaves nothing that looks like a database, and of two first starts at once one
 * wins the name and the other throws its own away: no lock that a dead process could keep.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, reasonOf } from './embedded-postgres-error.ts';
import { isAlive } from './postmaster-file.ts';
import { canEnter, commandAs } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

export interface DataDirectoryRequest {
  readonly directory: string;
  readonly user: ServerUser;
  readonly binaries: Binaries;
  /** Where the data go when `directory` lies in a folder that is closed to `user`; a link leads there. */
  readonly systemDirectory: string;
}

/**
 * Makes sure that `directory` holds a database cluster that `user` can run.
 * @throws EmbeddedPostgresError when it cannot be written, read or understood.
 */
export async function prepareDataDirectory(request: DataDirectoryRequest): Promise<void> {
  const { directory, user, binaries } = request;
  await letThrough(user, dirname(directory));
  const version = await readVersion(directory);
  if (version === undefined) return await createDataDirectory(request);
  if (version !== binaries.majorVersion) {
    throw new EmbeddedPostgresError(
      `The database in ${directory} was made by PostgreSQL ${version}, this is ${binaries.majorVersion}: carry it over with pg_dump, or set DATA_DIR.`,
    );
  }
  if (user.kind === 'other' && (await stat(directory)).uid !== user.uid) await handOver(directory, user);
}

/** Runs initdb on `directory`, which must be empty or absent. Throws an Error that tells the reason. */
export async function runInitdb(
  { initdb }: Binaries,
  user: ServerUser,
  { directory, flags = [] }: { readonly directory: string; readonly flags?: readonly string[] },
): Promise<void> {
  const { file, args, options } = commandAs(user, initdb, [
    ...['-D', directory, '-U', 'postgres', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--auth-local=trust', '--auth-host=reject', '--no-instructions', ...flags],
  ]);
  await run(file, args, options);
}

/** Gives an empty directory to the user that will fill it. */
export async function giveTo(user: ServerUser, directory: string): Promise<void> {
  if (user.kind === 'other') await chown(directory, user.uid, user.gid);
}

async function createDataDirectory(request: DataDirectoryRequest): Promise<void> {
  const { directory, user } = request;
  await requireFree(directory);
  const reachable = await prepareParent(dirname(directory), user);
  if (!reachable) await mkdir(request.systemDirectory, { recursive: true, mode: 0o755 });
  const parent = reachable ? dirname(directory) : request.systemDirectory;
  await removeAbandonedDrafts(parent);
  const suffix = randomBytes(4).toString('hex');
  const draft = join(parent, `${draftPrefix}${String(process.pid)}-${suffix}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    await giveTo(user, draft);
    await runInitdb(request.binaries, user, { directory: draft });
    await (reachable ? rename(draft, directory) : linkTo(draft, join(parent, `data-${suffix}`), directory));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if ((await readVersion(directory)) !== undefined) return; // another process was faster
    throw new EmbeddedPostgresError(
      `PostgreSQL could not set up its database in ${directory}. Mend that or set DATABASE_URL. ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

const draftPrefix = 'postgres.init-';

async function linkTo(draft: string, target: string, link: string): Promise<void> {
  await rename(draft, target);
  try {
    await symlink(target, link);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}

/** What a process left behind that was killed during initdb. */
async function removeAbandonedDrafts(parent: string): Promise<void> {
  const drafts = (await readdir(parent)).filter((name) => name.startsWith(draftPrefix));
  const abandoned = drafts.filter((name) => !isAlive(Number.parseInt(name.slice(draftPrefix.length), 10)));
  // An orphaned initdb may still be writing; what is left goes next time.
  await Promise.allSettled(
    abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

/** Makes the folder around the data directory; false when `user` cannot pass through it. */
async function prepareParent(parent: string, user: ServerUser): Promise<boolean> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await access(parent, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The directory ${parent} cannot be written: set DATA_DIR to one that can, or set DATABASE_URL. ${reasonOf(error)}`,
      { cause: error },
    );
  }
  await letThrough(user, parent);
  return await canEnter(user, parent);
}

/** Root's DATA_DIR is closed to everybody; the user that runs the server may pass through, by its group. */
async function letThrough(user: ServerUser, parent: string): Promise<void> {
  const status = await stat(parent).catch(() => undefined);
  if (user.kind !== 'other' || status === undefined || status.uid !== process.getuid?.()) return;
  if ((await canEnter(user, parent)) || !(await canEnter(user, dirname(parent)))) return;
  await chown(parent, status.uid, user.gid);
  await chmod(parent, (status.mode & 0o7707) | 0o010);
}

async function requireFree(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  if (names.length > 0) {
    throw new EmbeddedPostgresError(
      `${directory} is neither empty nor a database of PostgreSQL: remove it or set DATA_DIR.`,
    );
  }
}

/** PostgreSQL's major version, or undefined when there is no database yet. */
async function readVersion(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(`The database in ${directory} cannot be read. ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The files were root's, from a start inside a user namespace; there is none now. */
async function handOver(directory: string, user: Extract<ServerUser, { kind: 'other' }>): Promise<void> {
  if (!(await canEnter(user, dirname(directory)))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run as root, and its user cannot reach ${directory}: set DATA_DIR to a directory that others may pass through, or set DATABASE_URL.`,
    );
  }
  await run('chown', ['-R', `${String(user.uid)}:${String(user.gid)}`, directory]);
}
