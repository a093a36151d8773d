/*
 * Creates the data directory under a temporary name and renames it when it is complete. An interrupted initdb then
 * leaves nothing that looks like a database, and if two first starts race, one gets the name and the other removes its
 * copy. This needs no lock, which a process that dies could keep.
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
  /** Holds the data if `user` has no access to the parent of `directory`, which then becomes a symbolic link. */
  readonly systemDirectory: string;
}

/**
 * Makes sure that `directory` holds a database cluster that `user` can run.
 * @throws EmbeddedPostgresError if it cannot be read or written, or holds something else.
 */
export async function prepareDataDirectory(request: DataDirectoryRequest): Promise<void> {
  const { directory, user, binaries } = request;
  await allowTraversal(user, dirname(directory));
  const version = await readVersion(directory);
  if (version === undefined) return await createDataDirectory(request);
  if (version !== binaries.majorVersion) {
    throw new EmbeddedPostgresError(
      `The database in ${directory} was created by PostgreSQL ${version}; this is ${binaries.majorVersion}. Move the data with pg_dump, or set DATA_DIR.`,
    );
  }
  if (user.kind === 'other' && (await stat(directory)).uid !== user.uid) await changeOwnerOfAll(directory, user);
}

/**
 * Runs initdb on `directory`, which must be empty or absent.
 * @throws Error with initdb's output.
 */
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

/** Makes `user` the owner of an empty directory. */
export async function changeOwner(directory: string, user: ServerUser): Promise<void> {
  if (user.kind === 'other') await chown(directory, user.uid, user.gid);
}

async function createDataDirectory(request: DataDirectoryRequest): Promise<void> {
  const { directory, user } = request;
  await requireEmpty(directory);
  const reachable = await prepareParent(dirname(directory), user);
  if (!reachable) await mkdir(request.systemDirectory, { recursive: true, mode: 0o755 });
  const parent = reachable ? dirname(directory) : request.systemDirectory;
  await removeAbandonedDrafts(parent);
  const suffix = randomBytes(4).toString('hex');
  const draft = join(parent, `${draftPrefix}${String(process.pid)}-${suffix}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    await changeOwner(draft, user);
    await runInitdb(request.binaries, user, { directory: draft });
    await (reachable ? rename(draft, directory) : linkTo(draft, join(parent, `data-${suffix}`), directory));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if ((await readVersion(directory)) !== undefined) return; // another process finished first
    throw new EmbeddedPostgresError(
      `PostgreSQL could not create its database in ${directory}. Fix the problem below, or set DATABASE_URL. ${reasonOf(error)}`,
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

/** Removes the drafts of processes that were killed during initdb. */
async function removeAbandonedDrafts(parent: string): Promise<void> {
  const drafts = (await readdir(parent)).filter((name) => name.startsWith(draftPrefix));
  const abandoned = drafts.filter((name) => !isAlive(Number.parseInt(name.slice(draftPrefix.length), 10)));
  // An orphaned initdb may still be writing; the next start removes what is left.
  await Promise.allSettled(
    abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

/** Creates the parent of the data directory. Returns false if `user` has no access to it. */
async function prepareParent(parent: string, user: ServerUser): Promise<boolean> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await access(parent, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The directory ${parent} is not writable. Set DATA_DIR to one that is, or set DATABASE_URL. ${reasonOf(error)}`,
      { cause: error },
    );
  }
  await allowTraversal(user, parent);
  return await canEnter(user, parent);
}

/** Lets the group of the server's user traverse root's DATA_DIR, which is closed to everyone else. */
async function allowTraversal(user: ServerUser, parent: string): Promise<void> {
  const status = await stat(parent).catch(() => undefined);
  if (user.kind !== 'other' || status === undefined || status.uid !== process.getuid?.()) return;
  if ((await canEnter(user, parent)) || !(await canEnter(user, dirname(parent)))) return;
  await chown(parent, status.uid, user.gid);
  await chmod(parent, (status.mode & 0o7707) | 0o010);
}

async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  if (names.length > 0) {
    throw new EmbeddedPostgresError(
      `${directory} is neither empty nor a PostgreSQL database. Remove it, or set DATA_DIR.`,
    );
  }
}

/** The major version that created the database; `undefined` if there is none. */
async function readVersion(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(
      `The database in ${directory} is not readable. Start as its owner, or set DATA_DIR. ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/** The files belong to root after a start in a user namespace; without namespaces, another user must own them. */
export async function changeOwnerOfAll(directory: string, user: Extract<ServerUser, { kind: 'other' }>): Promise<void> {
  if (!(await canEnter(user, dirname(directory)))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run as root, and its user has no access to ${directory}. Set DATA_DIR to a directory that other users can reach, or set DATABASE_URL.`,
    );
  }
  await run('chown', ['-R', `${String(user.uid)}:${String(user.gid)}`, directory]);
}
