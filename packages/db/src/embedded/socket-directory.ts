import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { canEnter } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

/** An address holds 104 bytes on macOS and 108 on Linux; "/.s.PGSQL.5432" and a NUL take 15. */
const maxSocketDirectoryBytes = 88;
const maxTemporaryBytes = 60;

/**
 * The directory of the server's socket, beside the data directory, or below the directory for
 * temporary files when that path is too long or closed to `user`. Its mode keeps everyone else
 * out: whoever can open the socket is the superuser of the database.
 * @throws EmbeddedPostgresError when the directory belongs to somebody else.
 */
export async function prepareSocketDirectory(dataDirectory: string, user: ServerUser): Promise<string> {
  const preferred = join(dirname(dataDirectory), 'run');
  const fits = Buffer.byteLength(preferred) <= maxSocketDirectoryBytes && (await canEnter(user, dirname(preferred)));
  const directory = fits ? preferred : temporaryDirectory(dataDirectory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await takeOver(directory, user);
  return directory;
}

/** In a directory that everybody may write to, somebody else may have been there first. */
async function takeOver(directory: string, user: ServerUser): Promise<void> {
  const own = process.getuid?.() ?? 0;
  const wanted = user.kind === 'other' ? user : { uid: own, gid: process.getgid?.() ?? 0 };
  const status = await lstat(directory);
  if (!status.isDirectory() || ![own, wanted.uid].includes(status.uid)) {
    throw new EmbeddedPostgresError(
      `${directory} is needed for the socket of PostgreSQL but belongs to somebody else: remove it or set DATA_DIR.`,
    );
  }
  await chmod(directory, 0o700);
  if (status.uid !== wanted.uid) await chown(directory, wanted.uid, wanted.gid);
}

/** The same data directory has the same name here for every process of one user. */
function temporaryDirectory(dataDirectory: string): string {
  return join(
    shortTemporaryDirectory(),
    `linnet-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`,
  );
}

/** The system's directory for temporary files, when sockets below it have short enough addresses. */
export function shortTemporaryDirectory(): string {
  return Buffer.byteLength(tmpdir()) <= maxTemporaryBytes ? tmpdir() : '/tmp';
}
