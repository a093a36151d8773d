import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { expect, inject, test } from 'vitest';

import { applyMigrations, readMigrationStatus, migrationsDirectory } from './migrations.ts';
import { insertAccount } from '@linnet/test/db/insert-account';
import { connect, createMigrationFolder } from '@linnet/test/db/migration-folder';
import { createEmptyDatabase, createTestDatabase } from '@linnet/test/db/test-database';

const created = await readFile(
  new URL('../../../../prisma/migrations/20261211000000_data_migrations/migration.sql', import.meta.url),
  'utf8',
);
const table = {
  '1_created': created,
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
  const args = ['--conditions=source', '--input-type=module', '--eval', script, '--', database.url, folder.path];
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

test('the hashtags of old posts are folded and stored once, and those of newer posts stay', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using client = await connect(database.url);
  const author = await insertAccount(database.db, 'author_of_tags');
  const tags = (...texts: string[]) => JSON.stringify(texts.map((text) => ({ text, indices: [0, 1] })));
  const rows = [
    [1, tags('Linnet', 'ＺÜRICH')],
    [2, '[]'],
    [3, tags('STRASSE', 'ßß'.repeat(26))],
    [4, tags('linnet')],
  ] as const;
  for (const [id, hashtags] of rows) {
    await client.query(`INSERT INTO post (id, author_id, text, hashtags) VALUES ($1, $3, 'x', $2)`, [
      id,
      hashtags,
      author,
    ]);
  }
  await client.query(`INSERT INTO post_hashtag (hashtag, post_id, author_id) VALUES ('linnet', 4, $1)`, [author]);
  const again = `UPDATE data_migration SET finished_at = NULL, last_key = NULL, rows = 0, batch_size = 1 WHERE name = '20261221000000_fill_hashtags'`;
  const expected = [
    [1, 'linnet'],
    [1, 'zürich'],
    [3, 'strasse'],
    [4, 'linnet'],
  ];
  for (const added of [3, 0]) {
    await client.query(again);
    const { batches } = await applyMigrations(database.url, migrationsDirectory);
    expect(batches).toContainEqual({ name: '20261221000000_fill_hashtags', lastKey: 4, rows: added, finished: true });
    const { rows: stored } = await client.query<{ id: number; hashtag: string }>(
      'SELECT post_id::int AS id, hashtag FROM post_hashtag ORDER BY 1, 2',
    );
    expect(stored.map(({ id, hashtag }) => [id, hashtag])).toEqual(expected);
  }
});

test('the words of old posts are stored once, and those of newer posts stay', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using client = await connect(database.url);
  const author = await insertAccount(database.db, 'author_of_words');
  for (const [id, text] of [
    [1, 'Hello Zürich'],
    [2, '?!'],
    [3, 'changed'],
  ]) {
    await client.query('INSERT INTO post (id, author_id, text) VALUES ($1, $3, $2)', [id, text, author]);
  }
  const media = `INSERT INTO media (owner_id, post_id, name, bytes, width, height) VALUES ($1, 2, '${'a'.repeat(32)}.png', 1, 1, 1)`;
  await client.query(media, [author]);
  await client.query(`INSERT INTO post_search (post_id, author_id, words) VALUES (3, $1, 'kept')`, [author]);
  const name = '20261224000000_fill_post_search';
  for (const added of [2, 0]) {
    await client.query(
      `UPDATE data_migration SET finished_at = NULL, last_key = NULL, rows = 0, batch_size = 1 WHERE name = $1`,
      [name],
    );
    const { batches } = await applyMigrations(database.url, migrationsDirectory);
    expect(batches).toContainEqual({ name, lastKey: 3, rows: added, finished: true });
    const { rows: stored } = await client.query<{ words: string }>(
      'SELECT words::text FROM post_search ORDER BY post_id',
    );
    expect(stored.map(({ words }) => words)).toEqual([`'hello':1 'zurich':2`, `'has:media'`, `'kept'`]);
  }
});

test('a batch whose input this version cannot convert changes nothing', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using client = await connect(database.url);
  await insertAccount(database.db, 'somebody');
  await client.query(
    `INSERT INTO data_migration (name, input, statement, table_name) VALUES ('9_unknown', 'SELECT 1', 'SELECT $1::jsonb', 'account')`,
  );
  await expect(applyMigrations(database.url, migrationsDirectory)).rejects.toThrow(
    'Data migration 9_unknown stopped: it needs another version of Linnet',
  );
});

test('a batch has at least one row', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using client = await connect(database.url);
  await expect(client.query(register(count, 0))).rejects.toThrow('data_migration_batch_size_check');
});
