import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { EmbeddedPostgresError, reasonOf } from './embedded-postgres-error.ts';
import { canRun } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

/** PostgreSQL's programs of one installation: `bin`, `lib` and `share` lie beside each other. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

/**
 * Finds the programs of this platform's package, in a place where `user` can run them: a copy
 * below `systemDirectory` when the checkout lies in a folder that is closed to that user.
 * @throws EmbeddedPostgresError when there are none for this platform.
 */
export async function locateBinaries(user: ServerUser, systemDirectory: string): Promise<Binaries> {
  const packaged = await packagedDirectory();
  const directory = (await canRun(user, postgresIn(packaged.native)))
    ? packaged.native
    : await copyBinaries(packaged, systemDirectory);
  return {
    initdb: join(directory, 'bin', 'initdb'),
    postgres: postgresIn(directory),
    majorVersion: packaged.version.split('.')[0] ?? packaged.version,
  };
}

interface PackagedDirectory {
  readonly native: string;
  readonly version: string;
}

async function packagedDirectory(): Promise<PackagedDirectory> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const version: unknown = Reflect.get(Object(manifest), 'version');
    return { native: join(root, 'native'), version: String(version) };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL server (15 or newer).`,
      { cause: error },
    );
  }
}

function postgresIn(directory: string): string {
  return join(directory, 'bin', 'postgres');
}

/** Copies once per version; the name appears only when the copy is whole. */
async function copyBinaries({ native, version }: PackagedDirectory, systemDirectory: string): Promise<string> {
  const target = join(systemDirectory, `postgresql-${version}`);
  if (await exists(target)) return target;
  const draft = `${target}.${String(process.pid)}`;
  try {
    await mkdir(systemDirectory, { recursive: true, mode: 0o755 });
    // Links stay as they are: ICU's libraries are found through relative ones.
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', draft]);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (await exists(target)) return target; // another process was faster
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run as root and its copy cannot be written to ${systemDirectory}: set DATABASE_URL. ${reasonOf(error)}`,
      { cause: error },
    );
  }
  return target;
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
