import { fileURLToPath } from 'node:url';

import type pg from 'pg';

import { applyMigration } from './apply.ts';
import { readProgress, runDataMigrations } from './batches.ts';
import type { DataMigrationProgress } from './batches.ts';
import { isLater, readMigrationFiles } from './files.ts';
import type { Migration } from './files.ts';
import { MigrationError } from './migration-error.ts';
import {
  createRecords,
  findPending,
  lockMigrations,
  onlyRow,
  recordResolution,
  requireBeforePhaseAfter,
  withClient,
} from './records.ts';
import type { Resolution } from './records.ts';

export interface MigrationStatus {
  readonly applied: readonly string[];
  /** Not applied, in their order. This version needs them. */
  readonly pending: readonly string[];
  /** Not applied, and must wait until no server of the previous version runs. This version works without them. */
  readonly later: readonly string[];
  /** Changes of all rows of a table, and how far they have come. */
  readonly batches: readonly DataMigrationProgress[];
}

interface Scope {
  /** Names of the migrations to apply; all if it is absent. */
  readonly only?: ReadonlySet<string>;
  /**
   * The version of this release, if servers of the previous one may be running: what breaks them, and data migrations, wait for
   * a run without it. A database without tables gets everything.
   */
  readonly besidePrevious?: string;
}

/**
 * Applies the pending migrations in order and records them in Prisma's table: interchangeable with
 * `prisma migrate deploy`. Several processes may run it at the same time.
 * @param directory The folder `prisma/migrations`.
 * @throws MigrationError if PostgreSQL is too old, a later release has passed the phase after, or a migration fails, failed before or was edited.
 */
export async function applyMigrations(url: string, directory: string, scope: Scope = {}): Promise<MigrationStatus> {
  const all = await readMigrationFiles(directory);
  const migrations = all.filter(({ name }) => scope.only?.has(name) !== false);
  return await withClient(url, async (client) => {
    await lockMigrations(client);
    await createRecords(client);
    await requireBeforePhaseAfter(client, all);
    const pending = await findPending(client, migrations);
    const isNew = pending.length === migrations.length;
    const { besidePrevious } = scope;
    const isNow = (one: Migration) => besidePrevious === undefined || isNew || !isLater(one, besidePrevious);
    for (const migration of pending.filter(isNow)) {
      if (migration.after !== undefined) await runDataMigrations(client);
      await applyMigration(client, migration, { isNew });
    }
    if ((besidePrevious === undefined || isNew) && scope.only === undefined) await runDataMigrations(client);
    return await readStatus(client, migrations, besidePrevious);
  });
}

/**
 * Lists the applied and the pending migrations without changing anything.
 * @param release The version of this release: those that wait for the end of the previous one are `later`.
 * @throws MigrationError
 */
export async function readMigrationStatus(url: string, directory: string, release?: string): Promise<MigrationStatus> {
  const migrations = await readMigrationFiles(directory);
  return await withClient(url, async (client) => await readStatus(client, migrations, release));
}

async function readStatus(
  client: pg.Client,
  migrations: readonly Migration[],
  release: string | undefined,
): Promise<MigrationStatus> {
  const { rows } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  const { present } = onlyRow(rows);
  if (present) await requireBeforePhaseAfter(client, migrations);
  const missing = present ? await findPending(client, migrations) : migrations;
  const later = release === undefined ? [] : missing.filter((one) => isLater(one, release));
  return {
    applied: namesOf(migrations.filter((one) => !missing.includes(one))),
    pending: namesOf(missing.filter((one) => !later.includes(one))),
    later: namesOf(later),
    batches: await readProgress(client),
  };
}

function namesOf(migrations: readonly Migration[]): readonly string[] {
  return migrations.map(({ name }) => name);
}

/**
 * Records how an operator has repaired a migration that failed: its changes are in the database, or none of them is.
 * @throws MigrationError if there is no such migration, or it has not failed
 */
export async function resolveMigration(
  url: string,
  directory: string,
  { name, outcome }: { readonly name: string; readonly outcome: Resolution },
): Promise<void> {
  const migration = (await readMigrationFiles(directory)).find((one) => one.name === name);
  if (migration === undefined) throw new MigrationError(`There is no migration ${name}.`);
  await withClient(url, async (client) => {
    await lockMigrations(client);
    await createRecords(client);
    await recordResolution(client, migration, outcome);
  });
}

/** Absolute path of the migrations. */
export const migrationsDirectory = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
