import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { EmbeddedPostgresError, reasonOf } from './embedded-postgres-error.ts';
import { canRun } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

/** Paths of the programs of one PostgreSQL installation. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

/**
 * Finds the programs of this platform's npm package. Copies them to `systemDirectory` if `user` has no access to the
 * checkout.
 * @throws EmbeddedPostgresError if there is no package for this platform.
 */
export async function locateBinaries(user: ServerUser, systemDirectory: string): Promise<Binaries> {
  const packaged = await packagedDirectory();
  const directory = (await canRun(user, postgresIn(packaged.native)))
    ? packaged.native
    : await copyBinaries(packaged, systemDirectory);
  return {
    initdb: join(directory, 'bin', 'initdb'),
    postgres: postgresIn(directory),
    majorVersion: packaged.version.replace(/\..*/, ''),
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
    if (typeof version !== 'string') throw new TypeError(`The package ${name} has no version.`);
    return { native: join(root, 'native'), version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL server (15 or newer).`,
      { cause: error },
    );
  }
}

function postgresIn(directory: string): string {
  return join(directory, 'bin', 'postgres');
}

/** Copies once per version, under a temporary name that is changed when the copy is complete. */
async function copyBinaries({ native, version }: PackagedDirectory, systemDirectory: string): Promise<string> {
  const target = join(systemDirectory, `postgresql-${version}`);
  if (await exists(target)) return target;
  const draft = `${target}.${String(process.pid)}`;
  try {
    await mkdir(systemDirectory, { recursive: true, mode: 0o755 });
    // Keep symbolic links: ICU's libraries are found through relative ones.
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', draft]);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (await exists(target)) return target; // another process finished first
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run as root, and copying it to ${systemDirectory} failed. Set DATABASE_URL. ${reasonOf(error)}`,
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
