// `linnet migrate`: every subcommand, as an operator runs it.
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database[Symbol.asyncDispose]();
});

async function migrate(...args: readonly string[]): Promise<{ readonly status: number; readonly document: unknown }> {
  const { status, stdout, stderr } = await run('migrate', ...args, '--json');
  expect(stderr).toBe('');
  const document: unknown = JSON.parse(stdout);
  return { status, document };
}

test.each([[[]], [['run']], [['run', '--phase', 'after']], [['status']], [['--status']]])(
  'migrate %j lists what is applied, pending and later',
  async (args) => {
    const { status, document } = await migrate(...args);
    expect([status, document]).toEqual([0, { applied: expect.any(Array), pending: [], later: [], batches: [] }]);
    expect((await run('migrate', ...args)).stdout).toMatch(/^applied {2}0001_ids\n/);
  },
);

test('migrate resolve records how a migration that failed was repaired', async () => {
  const name = '0014_erasure';
  await database.db.prisma
    .$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL, logs = 'planted' WHERE migration_name = ${name}`;
  expect(await migrate('run')).toMatchObject({ status: 1, document: { error: { code: 'migration' } } });
  const both = await migrate('resolve', name, '--applied', '--rolled-back');
  expect(both).toMatchObject({ status: 1, document: { error: { code: 'usage' } } });
  expect(await migrate('resolve', name, '--applied')).toEqual({ status: 0, document: { ok: true } });
  expect(await migrate('run')).toMatchObject({ status: 0, document: { pending: [] } });
  expect(await migrate('resolve', name, '--applied')).toMatchObject({
    status: 1,
    document: { error: { code: 'migration' } },
  });
});

test('migrate new needs a subject', async () => {
  expect(await migrate('new', 'Two words')).toMatchObject({ status: 1, document: { error: { code: 'migration' } } });
});
