/*
 * PostgreSQL refuses to run as root. It runs as the first of these: the owner of an existing data directory; the
 * current user, if not root; root inside a user namespace, where it is mapped to `nobody` (the files stay root's); the
 * user `postgres` or `nobody`.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);
// LC_ALL: initdb rejects a locale that is not installed, and launch.ts reads messages in English.
const serverEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
};
const namespaceCommand = ['unshare', '--user', '--map-user=65534', '--map-group=65534'] as const;

export type ServerUser =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'other'; readonly uid: number; readonly gid: number };

/** Arguments for `spawn` and `execFile`. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: {
    readonly cwd: string;
    readonly uid?: number;
    readonly gid?: number;
    readonly env: Readonly<Record<string, string>>;
  };
}

/** Returns the command that runs `file` as the given user, with a minimal environment. */
export function commandAs(user: ServerUser, file: string, args: readonly string[]): Command {
  const options = { cwd: '/', env: serverEnvironment };
  switch (user.kind) {
    case 'self':
      return { file, args, options };
    case 'namespace': {
      const [unshare, ...flags] = namespaceCommand;
      return { file: unshare, args: [...flags, file, ...args], options };
    }
    case 'other':
      return { file, args, options: { ...options, uid: user.uid, gid: user.gid } };
  }
}

/**
 * The user and group of this process.
 * @throws EmbeddedPostgresError on Windows.
 */
function currentUser(): { readonly uid: number; readonly gid: number } {
  if (process.getuid !== undefined && process.getgid !== undefined) {
    return { uid: process.getuid(), gid: process.getgid() };
  }
  throw new EmbeddedPostgresError(
    'There is no embedded PostgreSQL for Windows. Set DATABASE_URL to a PostgreSQL server (15 or newer).',
  );
}

/**
 * Chooses the user that runs PostgreSQL on the data directory `directory`, which need not exist yet.
 * @throws EmbeddedPostgresError if no user can.
 */
export async function chooseServerUser(directory: string, userNamespaces: boolean): Promise<ServerUser> {
  const { uid: own } = currentUser();
  const owner = await stat(directory).catch(() => undefined);
  if (own !== 0) return requireOrdinaryUser(own, owner, directory);
  if (owner !== undefined && owner.uid !== 0) return { kind: 'other', uid: owner.uid, gid: owner.gid };
  if (userNamespaces && (await hasUserNamespaces())) return { kind: 'namespace' };
  const substitute = (await findUser('postgres')) ?? (await findUser('nobody'));
  if (substitute !== undefined) return substitute;
  throw new EmbeddedPostgresError(
    'PostgreSQL cannot run as root, and there is no user "postgres" or "nobody". Start as an ordinary user, or set DATABASE_URL.',
  );
}

/** True if `user` can run the program `file`. */
export async function canRun(user: ServerUser, file: string): Promise<boolean> {
  return user.kind !== 'other' || (await succeeds(commandAs(user, '/bin/sh', ['-c', 'test -x "$0"', file])));
}

/** True if `user` can traverse the directory `path`. */
export async function canEnter(user: ServerUser, path: string): Promise<boolean> {
  return user.kind !== 'other' || (await succeeds(commandAs(user, '/bin/sh', ['-c', 'cd "$0"', path])));
}

function requireOrdinaryUser(own: number, owner: Stats | undefined, directory: string): ServerUser {
  if (owner !== undefined && owner.uid !== own) {
    throw new EmbeddedPostgresError(
      `The database in ${directory} belongs to uid ${String(owner.uid)}, but this process runs as uid ${String(own)}. Start as its owner, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  // initdb looks up its user by name.
  if (owner === undefined && !hasName()) {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot create a database as uid ${String(own)}, which has no user name on this system. Start as a named user, or set DATABASE_URL.`,
    );
  }
  return { kind: 'self' };
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** `id -un` fails if the namespace's user has no name; initdb would fail for the same reason. */
async function hasUserNamespaces(): Promise<boolean> {
  return await succeeds(commandAs({ kind: 'namespace' }, 'id', ['-un']));
}

async function findUser(name: string): Promise<ServerUser | undefined> {
  try {
    return { kind: 'other', uid: await findId('-u', name), gid: await findId('-g', name) };
  } catch {
    return undefined;
  }
}

async function findId(flag: '-u' | '-g', name: string): Promise<number> {
  const { file, args, options } = commandAs({ kind: 'self' }, 'id', [flag, name]);
  return Number((await run(file, args, options)).stdout);
}

async function succeeds({ file, args, options }: Command): Promise<boolean> {
  return await run(file, args, options).then(
    () => true,
    () => false,
  );
}

/** A socket address has 104 bytes on macOS and 108 on Linux; "/.s.PGSQL.5432" and a NUL take 15. */
const maxSocketDirectoryBytes = 88;
const maxTemporaryBytes = 60;

/**
 * Creates the directory of the server's socket and returns its path: beside the data directory, or below the system's
 * directory for temporary files if that path is too long or `user` has no access to it. Its mode excludes other users,
 * because a connection to the socket has the rights of the database's superuser.
 * @throws EmbeddedPostgresError if the directory belongs to another user.
 */
export async function prepareSocketDirectory(dataDirectory: string, user: ServerUser): Promise<string> {
  const preferred = join(dirname(dataDirectory), 'run');
  const fits = Buffer.byteLength(preferred) <= maxSocketDirectoryBytes && (await canEnter(user, dirname(preferred)));
  const directory = fits ? preferred : temporaryDirectory(dataDirectory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await secure(directory, user);
  return directory;
}

/** Checks the owner: in a world-writable directory, another user may have created `directory` first. */
async function secure(directory: string, user: ServerUser): Promise<void> {
  const own = currentUser();
  const wanted = user.kind === 'other' ? user : own;
  const status = await lstat(directory);
  if (!status.isDirectory() || ![own.uid, wanted.uid].includes(status.uid)) {
    throw new EmbeddedPostgresError(
      `PostgreSQL needs ${directory} for its socket, but it belongs to another user. Remove it, or set DATA_DIR.`,
    );
  }
  await chmod(directory, 0o700);
  if (status.uid !== wanted.uid) await chown(directory, wanted.uid, wanted.gid);
}

/** Derived from the data directory, so that every process finds the same socket. */
function temporaryDirectory(dataDirectory: string): string {
  return join(
    shortTemporaryDirectory(),
    `linnet-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`,
  );
}

/** The system's directory for temporary files, or `/tmp` if its path is too long for socket addresses. */
export function shortTemporaryDirectory(): string {
  return Buffer.byteLength(tmpdir()) <= maxTemporaryBytes ? tmpdir() : '/tmp';
}
