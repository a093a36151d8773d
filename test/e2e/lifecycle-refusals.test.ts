import { once } from 'node:events';
import { createServer } from 'node:net';

import { createEmptyDatabase, createTestDatabase } from '../support/db/test-database.ts';
import pg from 'pg';
import { expect, inject, test } from 'vitest';

import { findProcesses } from '../support/processes.ts';
import { launch, runLinnet, startService, statusOf } from '../support/service.ts';
import type { Variables } from '../support/service.ts';

/** Starts a service, which must fail. Returns its stderr. */
async function expectStartFails(env: Variables): Promise<string> {
  await using failed = await launch({ env });
  expect(await failed.exited).toEqual({ exitCode: 1, signal: null });
  expect(failed.stdout()).not.toContain('Service:');
  expect(await findProcesses(failed.dataDir)).toEqual([]);
  return failed.stderr();
}

test('all malformed variables are listed', async () => {
  const message = await expectStartFails({
    NODE_ENV: 'production',
    HOST: 'not a host',
    BASE_URL: 'http://social.example.org/x',
    WORKERS: 'many',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: '-1',
    SECRET_KEYS: 'canary',
  });
  const names = message
    .trim()
    .split('\n')
    .map((line) => line.replace('linnet: ', '').split(':')[0]);
  expect(new Set(names)).toEqual(
    new Set(['BASE_URL', 'DATABASE_URL', 'HOST', 'LOG_LEVEL', 'SECRET_KEYS', 'TRUST_PROXY', 'WORKERS']),
  );
  expect(names).toHaveLength(7);
  expect(message).not.toContain('canary');
});

test('a port that another program uses', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = String(Reflect.get(Object(other.address()), 'port'));
  expect(await expectStartFails({ PORT: port })).toContain(`Port ${port} is in use by another program.`);
  other.close();
});

test('a port that a service with another DATA_DIR uses: the message names its process', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using service = await startService({ env: { DATABASE_URL: database.url } });
  const message = await expectStartFails({ PORT: String(service.port) });
  expect(message).toContain(`(process ${String(service.pid)})`);
  expect(message).toContain('linnet stop');
});

test('a DATA_DIR that is not writable', async () => {
  expect(await expectStartFails({ DATA_DIR: '/dev/null/data' })).toContain('DATA_DIR cannot be used');
});

test('a database that is down', async () => {
  const message = await expectStartFails({ DATABASE_URL: 'postgresql://linnet:canary@127.0.0.1:1/linnet' });
  expect(message).toContain('the database cannot be reached (connect ECONNREFUSED 127.0.0.1:1)');
  expect(message).not.toContain('canary');
});

test('a database that does not exist', async () => {
  const url = new URL(inject('databaseServer').url);
  url.pathname = '/no_such_database';
  expect(await expectStartFails({ DATABASE_URL: url.href })).toContain('"no_such_database" does not exist');
});

test('a database in another time zone, when sessions cannot change it', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`ALTER DATABASE ${pg.escapeIdentifier(client.database ?? '')} SET timezone = 'Asia/Tokyo'`);
  await client.end();
  const message = await expectStartFails({ DATABASE_URL: database.url, DATABASE_PREPARE: 'off' });
  expect(message).toContain('time zone Asia/Tokyo');
});

test('secret keys that cannot decrypt the signing keys', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const env = { DATABASE_URL: database.url };
  {
    await using service = await startService({ env: { ...env, SECRET_KEYS: 'a'.repeat(40) } });
    expect(await statusOf(`${service.baseUrl}/health/ready`)).toBe(200);
  }
  expect(await expectStartFails({ ...env, SECRET_KEYS: 'b'.repeat(40) })).toMatch(/SECRET_KEYS/);
});

test('only start and migrate apply migrations', async () => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  const env = { DATABASE_URL: database.url, DATA_DIR: '/dev/null' };
  const pending = await runLinnet(['migrate', '--status', '--json'], env);
  expect(JSON.parse(pending.stdout)).toMatchObject({
    applied: [],
    pending: expect.arrayContaining([expect.any(String)]),
  });
  const failed = await runLinnet(['user', 'show', 'nobody', '--json'], env);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    error: { code: 'migration', message: expect.stringContaining('linnet migrate') },
  });
  expect((await runLinnet(['migrate'], env)).exitCode).toBe(0);
  const applied = await runLinnet(['migrate', '--status', '--json'], env);
  expect(JSON.parse(applied.stdout)).toMatchObject({
    applied: expect.arrayContaining([expect.any(String)]),
    pending: [],
  });
  const unknown = await runLinnet(['user', 'show', 'nobody', '--json'], env);
  expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: 'account-not-found' } });
});
