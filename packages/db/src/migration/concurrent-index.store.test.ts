import { expect, inject, test } from 'vitest';

import { applyMigrations } from './migrations.ts';
import { connect, createMigrationFolder } from '@linnet/test/db/migration-folder';
import { createEmptyDatabase } from '@linnet/test/db/test-database';
import { findConcurrentIndex } from './concurrent-index.ts';

const table = { '1_table': 'CREATE TABLE mood (id bigint PRIMARY KEY, name text);' };
const name = '2_index';
const sql = '-- For mood.\nCREATE INDEX CONCURRENTLY "mood_name_idx" ON "mood" ("name");\n';
const indexes = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('mood_name_idx')`;

test.each([
  [sql, { name: 'mood_name_idx', action: 'create' }],
  ['create unique index concurrently if not exists a on b (c) where d', { name: 'a', action: 'create' }],
  ['DROP INDEX CONCURRENTLY IF EXISTS "a";', { name: 'a', action: 'drop' }],
  ['CREATE INDEX a ON b (c);', undefined],
  ['CREATE INDEX CONCURRENTLY a ON b (c); SELECT 1;', undefined],
])('reads %j', (script, expected) => {
  expect(findConcurrentIndex(script)).toEqual(expected);
});

test('an index whose build was interrupted is dropped and built again', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder(table);
  await applyMigrations(database.url, folder.path);
  await folder.add(name, sql);
  await using client = await connect(database.url);
  await using holder = await connect(database.url);
  await holder.query(`BEGIN; INSERT INTO mood VALUES (1, 'calm')`);
  const interrupted = applyMigrations(database.url, folder.path).catch((error: unknown) => error);
  await expect.poll(async () => (await client.query(indexes)).rows).toEqual([{ valid: false }]);
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '%CONCURRENTLY "mood%' AND pid <> pg_backend_pid()`);
  expect(await interrupted).toBeInstanceOf(Error);
  await holder.query('COMMIT');
  expect((await client.query(indexes)).rows).toEqual([{ valid: false }]);
  expect((await applyMigrations(database.url, folder.path)).applied).toEqual(['1_table', name]);
  expect((await client.query(indexes)).rows).toEqual([{ valid: true }]);
});

test('an index or a removal that was finished before its record was is only recorded', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder({ ...table, [name]: sql });
  await using client = await connect(database.url);
  await applyMigrations(database.url, folder.path);
  await client.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${name}'`);
  expect((await applyMigrations(database.url, folder.path)).applied).toContain(name);
  await folder.add('3_drop', 'DROP INDEX CONCURRENTLY "mood_name_idx";');
  await applyMigrations(database.url, folder.path);
  await client.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '3_drop'`);
  expect((await applyMigrations(database.url, folder.path)).applied).toContain('3_drop');
  expect((await client.query(indexes)).rows).toEqual([]);
});

test('a build that fails leaves no index behind once it is resolved and applied again', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder({
    ...table,
    '2_rows': `INSERT INTO mood VALUES (1, 'calm'), (2, 'calm')`,
  });
  await folder.add('3_unique', 'CREATE UNIQUE INDEX CONCURRENTLY "mood_name_idx" ON "mood" ("name");');
  await using client = await connect(database.url);
  await expect(applyMigrations(database.url, folder.path)).rejects.toThrow(
    'Migration 3_unique failed: could not create unique index',
  );
  await client.query('DELETE FROM mood WHERE id = 2');
  await client.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL`);
  await applyMigrations(database.url, folder.path);
  expect((await client.query(indexes)).rows).toEqual([{ valid: true }]);
});

test('processes that migrate at the same time do not wait for each other in a circle', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder({ ...table, [name]: sql });
  const runs = await Promise.all([1, 2, 3].map(() => applyMigrations(database.url, folder.path)));
  expect(runs.map(({ applied }) => applied)).toEqual([1, 2, 3].map(() => ['1_table', name]));
});
