import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { applyMigrations, readMigrationStatus } from '@linnet/db/migration/migrations';
import { createEmptyDatabase, createTestDatabase } from './db/test-database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { deployWithPrisma, diagnoseWithPrisma, diffDatabaseToSchema } from './schema-engine.ts';

const schema = fileURLToPath(new URL('../../prisma/schema', import.meta.url));
const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'linnet-schema-'));
});

afterAll(async () => await rm(base, { recursive: true }));

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the Prisma schema and the migrations', () => {
  test('describe the same database', async () => {
    await using database = await createTestDatabase(inject('databaseServer'));
    expect(await diffDatabaseToSchema(database.url, schema)).toBe('');
  });

  test('make a view of accounts for test people that has every column, in order', async () => {
    await using database = await createTestDatabase(inject('databaseServer'));
    const columnsOf = async (schemaName: string) =>
      await run(
        database.url,
        `SELECT column_name FROM information_schema.columns WHERE table_name = 'account' AND table_schema = '${schemaName}'
           AND column_name <> 'ctid' ORDER BY ordinal_position`,
      );
    expect(await columnsOf('sandbox')).toEqual(await columnsOf('public'));
  });

  test.each([
    ['a column', 'ALTER TABLE post ADD COLUMN planted integer', /\[-\] Removed column `planted`/],
    [
      'a default',
      `ALTER TABLE account ALTER COLUMN language SET DEFAULT 'de'`,
      /Altered column `language` \(default changed/,
    ],
    [
      'a length',
      'ALTER TABLE old_username ALTER COLUMN username_ci TYPE varchar(33)',
      /Altered column `username_ci` \(type changed\)/,
    ],
    [
      'NOT NULL',
      'ALTER TABLE post ALTER COLUMN text DROP NOT NULL',
      /Altered column `text` \(changed from Nullable to Required/,
    ],
    ['an index', 'DROP INDEX post_author_id_id_idx', /Added index/],
    ['a unique index', 'DROP INDEX account_email_ci_key', /Added unique index on columns \(email_ci\)/],
    ['a foreign key', 'ALTER TABLE post DROP CONSTRAINT post_author_id_fkey', /Added foreign key/],
    ['an enum', `ALTER TYPE grant_kind ADD VALUE 'planted'`, /Changed the `grant_kind` enum/],
    ['a table', 'CREATE TABLE planted (id integer PRIMARY KEY)', /\[-\] Removed tables\s+- planted/],
  ])('a planted difference is seen: %s', async (_, sql, difference) => {
    await using database = await createTestDatabase(inject('databaseServer'));
    await run(database.url, sql);
    expect(await diffDatabaseToSchema(database.url, schema)).toMatch(difference);
  });

  test('the comparison finds a planted field', async () => {
    const copy = join(base, 'schema');
    await cp(schema, copy, { recursive: true });
    const file = join(copy, 'account.prisma');
    await writeFile(file, (await readFile(file, 'utf8')).replace('model Account {', 'model Account {\n  planted Int?'));
    await using database = await createTestDatabase(inject('databaseServer'));
    expect(await diffDatabaseToSchema(database.url, copy)).toMatch(/\[\+\] Added column `planted`/);
  });
});

describe('our runner and prisma migrate deploy', () => {
  const catalog = `
    SELECT attname, format_type(atttypid, atttypmod) AS type, attnotnull, pg_get_expr(adbin, adrelid) AS default,
           (SELECT string_agg(pg_get_constraintdef(c.oid), ';') FROM pg_constraint c WHERE conrelid = attrelid AND contype = 'p') AS key
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = '_prisma_migrations'::regclass AND attnum > 0 ORDER BY attnum`;
  const records = `
    SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count, finished_at IS NOT NULL AS finished
    FROM _prisma_migrations ORDER BY migration_name`;

  test('leave the same table with the same rows', async () => {
    await using ours = await createEmptyDatabase(inject('databaseServer'));
    await using theirs = await createEmptyDatabase(inject('databaseServer'));
    const { applied } = await applyMigrations(ours.url, migrations);
    expect(await deployWithPrisma(theirs.url, migrations)).toEqual(applied);
    expect(await run(ours.url, catalog)).toEqual(await run(theirs.url, catalog));
    expect(await run(ours.url, records)).toEqual(await run(theirs.url, records));
    expect(await diffDatabaseToSchema(theirs.url, schema)).toBe('');
  });

  test('Prisma finds nothing to do after our runner', async () => {
    await using database = await createEmptyDatabase(inject('databaseServer'));
    await applyMigrations(database.url, migrations);
    expect(await deployWithPrisma(database.url, migrations)).toEqual([]);
    expect(await diagnoseWithPrisma(database.url, migrations)).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
  });

  test('our runner finds nothing to do after Prisma', async () => {
    await using database = await createEmptyDatabase(inject('databaseServer'));
    const applied = await deployWithPrisma(database.url, migrations);
    expect(await readMigrationStatus(database.url, migrations)).toMatchObject({ applied, pending: [] });
    expect(await applyMigrations(database.url, migrations)).toMatchObject({ applied, pending: [] });
  });

  test('apply each migration once when they run at the same time', async () => {
    await using database = await createEmptyDatabase(inject('databaseServer'));
    const [ours, theirs] = await Promise.all([
      applyMigrations(database.url, migrations),
      deployWithPrisma(database.url, migrations),
    ]);
    expect([[], ours.applied]).toContainEqual(theirs);
    expect(await run(database.url, 'SELECT migration_name FROM _prisma_migrations')).toHaveLength(ours.applied.length);
  });

  test('detect failures and edits of each other', async () => {
    await using database = await createEmptyDatabase(inject('databaseServer'));
    const { applied } = await applyMigrations(database.url, migrations);
    const [first = '', second = ''] = applied;
    await run(
      database.url,
      `UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name = '${first}'`,
    );
    await run(
      database.url,
      `UPDATE _prisma_migrations SET finished_at = NULL, logs = 'no' WHERE migration_name = '${second}'`,
    );
    expect(await diagnoseWithPrisma(database.url, migrations)).toMatchObject({
      editedMigrationNames: [first],
      failedMigrationNames: [second],
    });
    await expect(deployWithPrisma(database.url, migrations)).rejects.toThrow(/failed/);
    await expect(applyMigrations(database.url, migrations)).rejects.toThrow(`Migration ${first} was edited`);
  });
});
