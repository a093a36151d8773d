/*
 * PostgreSQL refuses to run as root. Who runs it instead, in this order:
 * the owner of an existing data directory; ourselves when we are not root; root inside a user
 * namespace, where it is called `nobody` (files stay root's); the user `postgres` or `nobody`.
 */
import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);
// LC_ALL: initdb refuses a locale that is not installed, and we read messages in English.
const serverEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
};
const namespaceCommand = ['unshare', '--user', '--map-user=65534', '--map-group=65534'] as const;

export type ServerUser =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'other'; readonly uid: number; readonly gid: number };

/** A command as `spawn` and `execFile` take it. */
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

/** The command that runs `file` as the given user, with an environment of its own. */
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
 * Decides who runs PostgreSQL on the data directory `directory`, which need not exist yet.
 * @throws EmbeddedPostgresError when nobody can.
 */
export async function chooseServerUser(directory: string, userNamespaces: boolean): Promise<ServerUser> {
  const own = process.getuid?.();
  if (own === undefined) {
    throw new EmbeddedPostgresError(
      'There is no embedded PostgreSQL for Windows: set DATABASE_URL to a PostgreSQL server (15 or newer).',
    );
  }
  const owner = await stat(directory).catch(() => undefined);
  if (own !== 0) return requireOrdinaryUser(own, owner, directory);
  if (owner !== undefined && owner.uid !== 0) return { kind: 'other', uid: owner.uid, gid: owner.gid };
  if (userNamespaces && (await hasUserNamespaces())) return { kind: 'namespace' };
  const substitute = (await findUser('postgres')) ?? (await findUser('nobody'));
  if (substitute !== undefined) return substitute;
  throw new EmbeddedPostgresError(
    'PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody": start as an ordinary user or set DATABASE_URL.',
  );
}

/** True when `user` can run the program `file`. */
export async function canRun(user: ServerUser, file: string): Promise<boolean> {
  return user.kind !== 'other' || (await succeeds(commandAs(user, '/bin/sh', ['-c', 'test -x "$0"', file])));
}

/** True when `user` can pass through the directory `path`. */
export async function canEnter(user: ServerUser, path: string): Promise<boolean> {
  return user.kind !== 'other' || (await succeeds(commandAs(user, '/bin/sh', ['-c', 'cd "$0"', path])));
}

function requireOrdinaryUser(own: number, owner: Stats | undefined, directory: string): ServerUser {
  if (owner !== undefined && owner.uid !== own) {
    throw new EmbeddedPostgresError(
      `The database in ${directory} belongs to another user (uid ${String(owner.uid)}, we are ${String(own)}): start as that user, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  // initdb looks its user up by name.
  if (owner === undefined && !hasName()) {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot be set up by uid ${String(own)}, which has no name on this system: set DATABASE_URL to a PostgreSQL server (15 or newer).`,
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

/** `id -un` fails when the namespace's user has no name, without which initdb would fail too. */
async function hasUserNamespaces(): Promise<boolean> {
  return await succeeds(commandAs({ kind: 'namespace' }, 'id', ['-un']));
}

async function findUser(name: string): Promise<ServerUser | undefined> {
  try {
    return { kind: 'other', uid: await lookUp('-u', name), gid: await lookUp('-g', name) };
  } catch {
    return undefined;
  }
}

async function lookUp(flag: '-u' | '-g', name: string): Promise<number> {
  const { file, args, options } = commandAs({ kind: 'self' }, 'id', [flag, name]);
  return Number((await run(file, args, options)).stdout);
}

async function succeeds({ file, args, options }: Command): Promise<boolean> {
  return await run(file, args, options).then(
    () => true,
    () => false,
  );
}
