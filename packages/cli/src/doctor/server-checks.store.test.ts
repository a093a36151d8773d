import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { readConfig } from '../config.ts';
import { checkDatabase } from './database-checks.ts';
import { checkCacheServer, checkReplicas } from './optional-checks.ts';

/** Nothing listens there. */
const nowhere = '127.0.0.1:9';
const cache = { CACHE_URL: `redis://:secret-word@${nowhere}` };

test('a cache that does not respond fails, and the remedy names its variable', async () => {
  const checks = await checkCacheServer(readConfig(cache));
  const remedy = expect.stringMatching(/correct host, port, user and password of CACHE_URL/);
  expect(checks).toEqual([{ name: 'cache', ok: false, detail: expect.stringContaining(nowhere), remedy }]);
  expect(JSON.stringify(checks)).not.toContain('secret-word');
});

test('a replica that is no standby, or does not respond, fails with a remedy of its own', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const urls = [database.url, `postgresql://linnet:secret-word@${nowhere}/linnet`];
  const checks = await checkReplicas(readConfig({ ...cache, DATABASE_REPLICA_URL: urls.join(',') }));
  expect(checks).toEqual([
    {
      name: 'replica-1',
      ok: false,
      detail: expect.stringContaining('is no standby'),
      remedy: expect.stringContaining('DATABASE_REPLICA_URL'),
    },
    {
      name: 'replica-2',
      ok: false,
      detail: expect.stringContaining(nowhere),
      remedy: expect.stringMatching(/^Check that this standby runs.* DATABASE_REPLICA_URL/),
    },
  ]);
  expect(JSON.stringify(checks)).not.toContain('secret-word');
});

test('a host that is the primary at the moment may be among the replicas', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const env = { ...cache, DATABASE_URL: database.url, DATABASE_REPLICA_URL: database.url };
  expect(await checkReplicas(readConfig(env))).toMatchObject([
    { ok: true, detail: expect.stringContaining('is the primary') },
  ]);
});

test('a database of a development version fails, and the remedy is to start again', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await database.db.prisma.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('-', '-', '20261120000000_ids', now())`;
  const { checks } = await checkDatabase(readConfig({ ...cache, DATABASE_URL: database.url }));
  const detail = expect.stringContaining('made by a development version before 1.0.0');
  expect(checks).toEqual([{ name: 'database', ok: false, detail, remedy: expect.stringContaining('delete DATA_DIR') }]);
});
