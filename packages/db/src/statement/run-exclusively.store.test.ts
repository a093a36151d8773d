import { expect, inject, test } from 'vitest';

import { openDatabase } from '../database.ts';
import { runExclusively } from './run-exclusively.ts';
import { createTestDatabase } from '@linnet/test/db/test-database';

test('runs the work of one process at a time, and of the next one after success or failure', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using other = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const first = runExclusively(database.db, 'sweep', async () => {
    entered.resolve();
    await leave.promise;
  });
  await entered.promise;
  let ran = 0;
  const work = async () => {
    ran += 1;
    return await Promise.resolve();
  };
  expect(await runExclusively(other, 'sweep', work)).toBe(false);
  expect(await runExclusively(other, 'something else', work)).toBe(true);
  leave.resolve();
  expect(await first).toBe(true);
  await expect(runExclusively(other, 'sweep', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await runExclusively(database.db, 'sweep', work)).toBe(true);
  expect(ran).toBe(2);
});
