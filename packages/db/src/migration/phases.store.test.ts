import { expect, inject, test } from 'vitest';

import { applyMigrations, readMigrationStatus, resolveMigration } from './migrations.ts';
import { connect, createMigrationFolder } from '@linnet/test/db/migration-folder';
import { createEmptyDatabase } from '@linnet/test/db/test-database';

/** Which migrations are applied while servers of the previous version run, and what a failed one or a lock does. */
const first = { '1_table': 'CREATE TABLE mood (id bigint PRIMARY KEY, old text);' };

test('what breaks the previous version waits for the phase after, or for the next release', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder(first);
  await applyMigrations(database.url, folder.path, { besidePrevious: '0.1.0' });
  await folder.add('2_drop', '-- after: 0.2.0\nALTER TABLE mood DROP COLUMN old;');
  await folder.add('3_add', 'ALTER TABLE mood ADD COLUMN new text;');

  const upgraded = { applied: ['1_table', '3_add'], pending: [], later: ['2_drop'], batches: [] };
  expect(await applyMigrations(database.url, folder.path, { besidePrevious: '0.2.0' })).toEqual(upgraded);
  expect(await readMigrationStatus(database.url, folder.path, '0.2.0')).toEqual(upgraded);
  // Servers of 0.2.0 are the previous version now.
  expect(await readMigrationStatus(database.url, folder.path, '0.2.1')).toMatchObject({ pending: ['2_drop'] });
  expect(await readMigrationStatus(database.url, folder.path, '0.10.0')).toMatchObject({ pending: ['2_drop'] });
  const finished = { applied: ['1_table', '2_drop', '3_add'], pending: [], later: [], batches: [] };
  expect(await applyMigrations(database.url, folder.path)).toEqual(finished);
});

test('a new database gets everything, because no previous version uses it', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder(first);
  await folder.add('2_drop', '-- after: 0.2.0\nALTER TABLE mood DROP COLUMN old;');
  const { applied } = await applyMigrations(database.url, folder.path, { besidePrevious: '0.2.0' });
  expect(applied).toEqual(['1_table', '2_drop']);
});

test.each([
  ['rolled-back', ['1_table', '2_more']],
  ['applied', ['1_table', '2_more']],
] as const)('a failed migration that is resolved as %s no longer blocks', async (outcome, names) => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using client = await connect(database.url);
  await using folder = await createMigrationFolder({ ...first, '2_more': 'ALTER TABLE absent ADD COLUMN new text;' });
  await expect(applyMigrations(database.url, folder.path)).rejects.toThrow('relation "absent" does not exist');
  await expect(applyMigrations(database.url, folder.path)).rejects.toThrow('linnet migrate resolve 2_more');
  await client.query('CREATE TABLE absent (id bigint)');
  await resolveMigration(database.url, folder.path, { name: '2_more', outcome });
  expect((await applyMigrations(database.url, folder.path)).applied).toEqual(names);
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'absent'::regclass AND attname = 'new'`,
  );
  expect(rowCount).toBe(outcome === 'applied' ? 0 : 1);
  for (const name of ['2_more', '3_none']) {
    await expect(resolveMigration(database.url, folder.path, { name, outcome })).rejects.toThrow(name);
  }
});

test('a migration that waits for a lock lets other statements pass, and is applied when the lock is free', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  await using folder = await createMigrationFolder(first);
  await applyMigrations(database.url, folder.path);
  await folder.add('2_add', 'ALTER TABLE mood ADD COLUMN new text;');
  await using holder = await connect(database.url);
  await using reader = await connect(database.url);
  await holder.query('BEGIN; SELECT FROM mood');
  const applied = applyMigrations(database.url, folder.path);
  const waiting = `SELECT FROM pg_locks WHERE relation = 'mood'::regclass AND NOT granted`;
  await reader.query(`SET lock_timeout = '1500ms'`); // as the service does
  await expect.poll(async () => (await reader.query(waiting)).rowCount).toBe(1);
  await reader.query('SELECT FROM mood'); // behind the migration, until it gives up
  await holder.query('COMMIT');
  expect((await applied).applied).toEqual(['1_table', '2_add']);
});
