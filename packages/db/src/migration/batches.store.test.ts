import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, inject, test } from 'vitest';

import { applyMigrations, readMigrationStatus, migrationsDirectory } from './migrations.ts';
import { connect, createMigrationFolder } from '@linnet/test/db/migration-folder';
import { createEmptyDatabase, createTestDatabase } from '@linnet/test/db/test-database';

const table = {
  '1_ids': await readFile(join(migrationsDirectory, '0001_ids', 'migration.sql'), 'utf8'),
  '2_table': `CREATE TABLE mood (id bigint PRIMARY KEY, changes int NOT NULL DEFAULT 0);
    INSERT INTO mood SELECT 3 * n FROM generate_series(1, 200) AS n;`,
};
const register = (statement: string, size: number) =>
  `INSERT INTO data_migration (name, statement, table_name, batch_size)
    VALUES ('3_fill', '${statement}', 'mood', ${String(size)});`;
const count = 'UPDATE mood SET changes = changes + 1 WHERE id > $1 AND id <= $2';
const changes = 'SELECT changes, count(*)::int FROM mood GROUP BY 1';

test('a data migration waits for the phase after, and changes every row once', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder(table);
  await using client = await connect(database.url);
  await applyMigrations(database.url, folder.path);
  await folder.add('3_fill', register(count, 64));
  await folder.add('4_check', '-- after: 0.2.0\nALTER TABLE mood ADD CHECK (changes = 1);');
  const waiting = [{ name: '3_fill', lastKey: null, rows: 0, finished: false }];
  expect(await applyMigrations(database.url, folder.path, { besidePrevious: '0.2.0' })).toMatchObject({
    later: ['4_check'],
    batches: waiting,
  });
  const { batches } = await applyMigrations(database.url, folder.path);
  expect(batches).toEqual([{ name: '3_fill', lastKey: 600, rows: 200, finished: true }]);
  expect((await client.query(changes)).rows).toEqual([{ changes: 1, count: 200 }]);
});

test('a run that is killed continues after the last batch: no row is changed twice', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder(table);
  await using client = await connect(database.url);
  await applyMigrations(database.url, folder.path);
  await folder.add('3_fill', register(count, 1));
  const module = fileURLToPath(new URL('migrations.ts', import.meta.url));
  const script = `import { applyMigrations } from '${module}'; await applyMigrations(...process.argv.slice(-2));`;
  const args = ['--input-type=module', '--eval', script, '--', database.url, folder.path];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const read = async () => (await readMigrationStatus(database.url, folder.path)).batches[0];
  await expect.poll(async () => (await read())?.rows ?? 0, { timeout: 60_000 }).toBeGreaterThan(3);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect((await read())?.finished).toBe(false);
  await client.query('UPDATE data_migration SET batch_size = 1000');
  await applyMigrations(database.url, folder.path);
  expect(await read()).toEqual({ name: '3_fill', lastKey: 600, rows: 200, finished: true });
  expect((await client.query(changes)).rows).toEqual([{ changes: 1, count: 200 }]);
});

test('a statement that fails keeps the batches before it, and continues there', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder(table);
  await using client = await connect(database.url);
  await applyMigrations(database.url, folder.path);
  await client.query('ALTER TABLE mood ADD CONSTRAINT planted CHECK (id <> 300 OR changes = 0)');
  await folder.add('3_fill', register(count, 64));
  await expect(applyMigrations(database.url, folder.path)).rejects.toThrow(/^Data migration 3_fill stopped: .*planted/);
  expect((await client.query(changes)).rows).toContainEqual({ changes: 1, count: 64 });
  await client.query('ALTER TABLE mood DROP CONSTRAINT planted');
  await applyMigrations(database.url, folder.path);
  expect((await client.query(changes)).rows).toEqual([{ changes: 1, count: 200 }]);
});

test('a batch has at least one row', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using client = await connect(database.url);
  await expect(client.query(register(count, 0))).rejects.toThrow('data_migration_batch_size_check');
});
