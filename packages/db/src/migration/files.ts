import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MigrationError } from './migration-error.ts';

/** A migration folder in Prisma's layout: `<number>_<subject>/migration.sql`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Lower-case hex SHA-256 of migration.sql, as Prisma records it. */
  readonly checksum: string;
  /**
   * `0.2.0` if the script has the line `-- after: 0.2.0`: it breaks servers of the version before, so it is applied when none of
   * them runs any more; its name has to say it, too. Undefined: servers of the previous version keep working.
   */
  readonly after: string | undefined;
}

const afterLine = /^-- after: (\d+\.\d+\.\d+)$/m;

/** `0016_after_moods`: the name alone says that servers without the script cannot serve the database. */
export function isNamedAfter(name: string): boolean {
  return /^\d+_after_/.test(name);
}

/** Reads the migrations of a folder, in their order. */
export async function readMigrationFiles(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return await Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql, checksum, after: afterLine.exec(sql)?.[1] };
    }),
  );
}

/**
 * Creates the folder of the next migration with an empty script, and returns its name.
 * @throws MigrationError if the subject is no name in lower case
 */
export async function createMigration(directory: string, subject: string): Promise<string> {
  if (!/^[a-z][a-z0-9_]*$/.test(subject)) {
    throw new MigrationError('The subject needs lower-case letters, digits and underscores, such as "moods_of_posts".');
  }
  const newest = (await readMigrationFiles(directory)).at(-1)?.name ?? '0000';
  const name = `${String(Number(newest.slice(0, 4)) + 1).padStart(4, '0')}_${subject}`;
  await mkdir(join(directory, name));
  await writeFile(join(directory, name, 'migration.sql'), '');
  return name;
}

/**
 * Whether a migration has to wait until no server of the version before `release` runs. One that names a smaller release need not:
 * the servers that run during the upgrade are at least of that release.
 */
export function isLater({ after }: Migration, release: string): boolean {
  return after !== undefined && compareVersions(after, release) >= 0;
}

function compareVersions(one: string, other: string): number {
  const parts = other.split('.').map(Number);
  return one.split('.').reduce((result, part, index) => result || Number(part) - (parts[index] ?? 0), 0);
}
