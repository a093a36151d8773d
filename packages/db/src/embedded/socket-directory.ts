import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { canEnter, currentUser } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

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
