import { expect, test } from 'vitest';

import { createMigrationFolder } from '@linnet/test/db/migration-folder';
import { createMigration, readMigrationFiles } from './files.ts';

test('a new migration has the number after the newest one', async () => {
  await using folder = await createMigrationFolder({});
  expect(await createMigration(folder.path, 'moods')).toBe('0001_moods');
  await folder.add('0099_likes', 'SELECT 1;');
  expect(await createMigration(folder.path, 'likes_of_2027')).toBe('0100_likes_of_2027');
  const names = (await readMigrationFiles(folder.path)).map(({ name }) => name);
  expect(names).toEqual(['0001_moods', '0099_likes', '0100_likes_of_2027']);
});

test.each(['', 'Moods', '1_moods', '../moods', 'moods-of-posts'])('%j is no subject', async (subject) => {
  await using folder = await createMigrationFolder({});
  await expect(createMigration(folder.path, subject)).rejects.toThrow('lower-case letters');
  expect(await readMigrationFiles(folder.path)).toEqual([]);
});
