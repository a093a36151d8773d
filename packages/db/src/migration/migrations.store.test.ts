import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { DatabaseUnavailable } from '../connection/database-error.ts';
import { MigrationError } from './migration-error.ts';
import { applyMigrations, readMigrationStatus } from './migrations.ts';
import { createEmptyDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

const directory = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
let names: readonly string[];
let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'linnet-migrations-'));
  const entries = await readdir(directory, { withFileTypes: true });
  names = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
});

afterAll(async () => await rm(base, { recursive: true }));

interface Recorded {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
  readonly logs: string | null;
  readonly rolled_back_at: Date | null;
  readonly applied_steps_count: number;
}

const statusOf = (applied: readonly string[], pending: readonly string[] = []) => ({
  applied,
  pending,
  later: [],
  batches: [],
});

const empty = async (): Promise<TestDatabase> => await createEmptyDatabase(inject('databaseServer'));

async function run<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const recorded = async (url: string): Promise<Recorded[]> =>
  await run<Recorded>(url, 'SELECT * FROM _prisma_migrations ORDER BY started_at, migration_name');

/** A copy of the migrations with additional ones. */
async function migrationsWith(further: Readonly<Record<string, string>>): Promise<string> {
  const copy = await mkdtemp(join(base, 'set-'));
  await cp(directory, copy, { recursive: true });
  for (const [name, sql] of Object.entries(further)) {
    await mkdir(join(copy, name));
    await writeFile(join(copy, name, 'migration.sql'), sql);
  }
  return copy;
}

test('finds migrations to test with', () => {
  expect(names.length).toBeGreaterThan(2);
});

describe('applying', () => {
  test('applies all migrations once, in order, and records the SHA-256 of their files', async () => {
    await using database = await empty();
    expect(await applyMigrations(database.url, directory)).toEqual(statusOf(names));
    const rows = await recorded(database.url);
    expect(rows.map((row) => row.migration_name)).toEqual(names);
    for (const row of rows) {
      const sql = await readFile(join(directory, row.migration_name, 'migration.sql'));
      expect(row).toMatchObject({
        checksum: createHash('sha256').update(sql).digest('hex'),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
      });
    }
    expect(await applyMigrations(database.url, directory)).toEqual(statusOf(names));
    expect(await recorded(database.url)).toEqual(rows);
  });

  test('four parallel runs apply each migration once', async () => {
    await using database = await empty();
    const results = await Promise.all([1, 2, 3, 4].map(async () => await applyMigrations(database.url, directory)));
    expect(results).toEqual(Array.from({ length: 4 }, () => statusOf(names)));
    expect((await recorded(database.url)).map((row) => row.migration_name)).toEqual(names);
  });

  test('applies a migration that was added later', async () => {
    await using database = await empty();
    await applyMigrations(database.url, directory);
    const more = await migrationsWith({ '9000_more': 'CREATE TABLE more (id int);' });
    await applyMigrations(database.url, more);
    expect((await recorded(database.url)).map((row) => row.migration_name)).toEqual([...names, '9000_more']);
    expect(await run(database.url, 'SELECT * FROM more')).toEqual([]);
  });
});

describe('a run that is killed', () => {
  const name = '9000_slow';

  test('is rolled back, and the next run applies the migration again', async () => {
    await using database = await empty();
    const slow = await migrationsWith({ [name]: 'CREATE TABLE slow (id int);\nSELECT pg_sleep(20);' });
    const killed = applyMigrations(database.url, slow).catch((error: unknown) => error);
    await expect.poll(async () => await terminate(database.url, '%pg_sleep(20)%')).toEqual([{ terminated: true }]);
    expect(await killed).toBeInstanceOf(Error);
    expect((await recorded(database.url)).at(-1)).toMatchObject({
      migration_name: name,
      finished_at: null,
      logs: null,
    });
    expect(await readMigrationStatus(database.url, slow)).toEqual(statusOf(names, [name]));

    const quick = await migrationsWith({ [name]: 'CREATE TABLE slow (id int);' });
    await applyMigrations(database.url, quick);
    expect(await run(database.url, 'SELECT * FROM slow')).toEqual([]);
    expect(await readMigrationStatus(database.url, quick)).toEqual(statusOf([...names, name]));
  });

  /** Terminates the backend that runs such a statement, as happens when its client dies. */
  async function terminate(url: string, like: string) {
    return await run(
      url,
      `SELECT pg_terminate_backend(pid) AS terminated FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '${like}' AND state = 'active'`,
    );
  }
});

describe('errors', () => {
  test('rejects a migration that was edited after it was applied', async () => {
    await using database = await empty();
    await applyMigrations(database.url, directory);
    const edited = await migrationsWith({});
    const [first = ''] = names;
    const file = join(edited, first, 'migration.sql');
    await writeFile(file, `${await readFile(file, 'utf8')}\n-- edited\n`);
    const message = `Migration ${first} was edited after it was applied. Restore the file and add a new migration instead.`;
    await expect(applyMigrations(database.url, edited)).rejects.toEqual(new MigrationError(message));
    await expect(readMigrationStatus(database.url, edited)).rejects.toEqual(new MigrationError(message));
  });

  test('a migration that fails is rolled back, recorded as failed, and blocks later runs', async () => {
    await using database = await empty();
    const broken = await migrationsWith({
      '9000_broken': 'CREATE TABLE half (id int);\nINSERT INTO half VALUES (1/0);',
      '9001_after': 'CREATE TABLE after (id int);',
    });
    await expect(applyMigrations(database.url, broken)).rejects.toThrow(
      'Migration 9000_broken failed: division by zero',
    );
    const rows = await recorded(database.url);
    expect(rows.map((row) => row.migration_name)).toEqual([...names, '9000_broken']);
    expect(rows.at(-1)).toMatchObject({ finished_at: null, logs: 'division by zero', applied_steps_count: 0 });
    expect(await run(database.url, `SELECT to_regclass('half') AS half, to_regclass('after') AS after`)).toEqual([
      { half: null, after: null },
    ]);

    await expect(applyMigrations(database.url, broken)).rejects.toThrow(
      /9000_broken failed earlier \(division by zero\)\..*linnet migrate resolve/,
    );
    await expect(readMigrationStatus(database.url, broken)).rejects.toBeInstanceOf(MigrationError);
  });

  test('retries a failed migration that was marked as rolled back', async () => {
    await using database = await empty();
    const name = '9000_sometimes';
    const sometimes = await migrationsWith({ [name]: 'ALTER TABLE missing ADD COLUMN a int;' });
    await expect(applyMigrations(database.url, sometimes)).rejects.toBeInstanceOf(MigrationError);
    await run(database.url, `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}'`);
    await run(database.url, 'CREATE TABLE missing (id int)');
    await applyMigrations(database.url, sometimes);
    expect(await run(database.url, 'SELECT a FROM missing')).toEqual([]);
  });

  test('rejects a database of a development version, and one of a later release only when it has passed the phase after', async () => {
    await using database = await empty();
    await applyMigrations(database.url, directory);
    const add = async (name: string) =>
      await run(
        database.url,
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('${name}', '-', '${name}', now())`,
      );
    await add('9000_later');
    expect(await readMigrationStatus(database.url, directory)).toEqual(statusOf(names));
    await add('9001_after_later');
    const tooNew = { code: 'database-too-new', message: expect.stringContaining('(9001_after_later)') };
    await expect(readMigrationStatus(database.url, directory)).rejects.toMatchObject(tooNew);
    await expect(applyMigrations(database.url, directory)).rejects.toMatchObject(tooNew);
    await run(database.url, `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = '9001_after_later'`);
    await add('20261120000000_ids');
    const tooOld = {
      code: 'database-too-old',
      message:
        'This database was made by a development version before 1.0.0. Export what you need, delete .data and start again.',
    };
    await expect(readMigrationStatus(database.url, directory)).rejects.toMatchObject(tooOld);
    await expect(applyMigrations(database.url, directory)).rejects.toMatchObject(tooOld);
  });

  test('throws DatabaseUnavailable if the database is unreachable', async () => {
    await expect(applyMigrations('postgresql://postgres@127.0.0.1:1/linnet', directory)).rejects.toThrow(
      DatabaseUnavailable,
    );
  });
});

describe('status', () => {
  test('lists the applied and the pending migrations and changes nothing', async () => {
    await using database = await empty();
    expect(await readMigrationStatus(database.url, directory)).toEqual(statusOf([], names));
    expect(await run(database.url, `SELECT to_regclass('_prisma_migrations') AS t`)).toEqual([{ t: null }]);
    await applyMigrations(database.url, directory);
    const more = await migrationsWith({ '9000_more': 'SELECT 1;' });
    expect(await readMigrationStatus(database.url, more)).toEqual(statusOf(names, ['9000_more']));
    expect(await readMigrationStatus(database.url, directory)).toEqual(statusOf(names));
  });
});
