/** What an operator can break, each as it really breaks, and what `linnet doctor` says about it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { recordProxies } from '@linnet/db/connection/untrusted-proxy';
import { run } from '@linnet/test/cli/run';
import { startReplicatedCluster } from '@linnet/test/db/replicated-cluster';
import { createSmallDisk, mountMemory } from '@linnet/test/db/small-disk';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { startHttps, startSmallServer } from '@linnet/test/small-server';
import { afterEach, expect, inject, test, vi } from 'vitest';

import { readConfig } from '../config.ts';
import { checkAddress, describeCertificate } from './address-checks.ts';
import type { Check } from './check.ts';
import { checkClock } from './commit-checks.ts';
import { checkDatabase } from './database-checks.ts';
import { checkDataDir } from './machine-checks.ts';
import { checkMediaStore, checkReplicas } from './optional-checks.ts';

const named = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name);

afterEach(() => {
  vi.unstubAllEnvs();
});

async function diagnoseDatabase(url: string, env: Readonly<Record<string, string>> = {}): Promise<readonly Check[]> {
  return (await checkDatabase(readConfig({ DATABASE_URL: url, ...env }))).checks;
}

test('a read-only database', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const name = new URL(database.url).pathname.slice(1);
  await database.db.prisma.$executeRawUnsafe(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  expect(named(await diagnoseDatabase(database.url), 'writes')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('read-only'),
    remedy: expect.stringContaining('default_transaction_read_only'),
  });
});

test('a full disk of PostgreSQL', async ({ skip }) => {
  await using disk = await createSmallDisk(inject('databaseServer'));
  if (disk === undefined) return skip('nothing can be mounted here');
  await disk.fill();
  // Its server may restart first.
  await expect
    .poll(async () => named(await diagnoseDatabase(disk.url), 'writes'))
    .toMatchObject({
      ok: false,
      detail: expect.stringContaining('disk of the database server is full'),
      remedy: expect.stringContaining('Free space'),
    });
});

test('a full DATA_DIR, or a full disk of media', async ({ skip }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-doctor-'));
  await using memory = await mountMemory(dataDir, 8);
  if (memory === undefined) return skip('nothing can be mounted here');
  const full = { ok: false, detail: expect.stringContaining('the disk is full'), remedy: 'Free space on this disk.' };
  expect(await checkDataDir({ dataDir })).toMatchObject({ name: 'data-dir', ...full });
  expect(await checkMediaStore(readConfig({ DATA_DIR: dataDir }))).toMatchObject({ name: 'media-store', ...full });
});

test('a disk with little space', async ({ skip }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-doctor-'));
  await using memory = await mountMemory(dataDir, 40);
  if (memory === undefined) return skip('nothing can be mounted here');
  expect(await checkDataDir({ dataDir })).toMatchObject({
    ok: true,
    warning: true,
    detail: expect.stringContaining('0.0 GiB'),
  });
});

test.each([
  [600, /behind/],
  [-600, /ahead of/],
])('a clock that is %i s late', async (seconds, detail) => {
  await using database = await createTestDatabase(inject('databaseServer'));
  expect(await checkClock(database.db)).toMatchObject({ ok: true });
  expect(await checkClock(database.db, () => Date.now() - seconds * 1000)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(detail),
    remedy: expect.stringContaining('chrony'),
  });
});

test('a replica whose replay is paused', async () => {
  await using cluster = await startReplicatedCluster();
  await cluster.startStandby();
  const config = readConfig({
    CACHE_URL: 'redis://127.0.0.1:9',
    DATABASE_URL: cluster.primaryUrl,
    DATABASE_REPLICA_URL: cluster.standbyUrl,
  });
  await vi.waitFor(async () => expect(await checkReplicas(config)).toMatchObject([{ ok: true }]), 50_000);
  await cluster.runOnStandby('SELECT pg_wal_replay_pause()');
  await diagnoseDatabase(cluster.primaryUrl); // writes
  expect(await checkReplicas(config)).toMatchObject([
    {
      ok: false,
      detail: expect.stringContaining('does not catch up'),
      remedy: expect.stringContaining('pg_wal_replay_resume'),
    },
  ]);
});

test('another number of proxies than TRUST_PROXY', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await recordProxies(database.db, 1);
  const diagnose = async (TRUST_PROXY: string) => named(await diagnoseDatabase(database.url, { TRUST_PROXY }), 'proxy');
  expect(await diagnose('0')).toMatchObject({ ok: true, warning: true, detail: expect.stringContaining('is 0') });
  expect(await diagnose('1')).not.toHaveProperty('warning');
  expect(await diagnose('2')).toMatchObject({
    ok: true,
    warning: true,
    detail: expect.stringContaining('fewer addresses'),
  });
});

test.each([
  ['an expired certificate', -2, /expired on/],
  ['a certificate of an unknown authority', 30, /is not trusted \(.*SELF_SIGNED/],
])('%s', async (_what, days, detail) => {
  await using proxy = await startHttps(days);
  const { baseUrl } = proxy;
  const checks = await checkAddress({ baseUrl, jwksUrl: `${baseUrl}/oauth/jwks`, kids: ['one'], isRunning: true });
  expect(named(checks, 'certificate')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(detail),
    remedy: expect.any(String),
  });
  expect(named(checks, 'public-keys')).toMatchObject({ ok: false });
});

test('the days that are left of a certificate', () => {
  const now = Date.parse('2027-01-01T00:00:00Z');
  const describe = (end: string) => describeCertificate({ valid_to: end }, { now, problem: undefined });
  expect(describe('Mar  2 12:00:00 2027 GMT')).toEqual({ detail: 'valid for 60 days, until Mar  2 12:00:00 2027 GMT' });
  expect(describe('Jan  8 12:00:00 2027 GMT')).toMatchObject({
    warning: true,
    detail: expect.stringMatching(/^valid for 7 days/),
  });
});

test.each<[what: string, keys: readonly object[] | undefined, status: object]>([
  ['the keys of this service', [{ kid: 'one' }, { kid: 'two' }], { ok: true }],
  [
    'the keys of another service',
    [{ kid: 'three' }],
    { ok: false, detail: expect.stringContaining('another service') },
  ],
  ['an error of the proxy', undefined, { ok: false, detail: expect.stringContaining('status 503') }],
])('BASE_URL leads to %s', async (_what, keys, status) => {
  await using proxy = await startSmallServer({ status: keys === undefined ? 503 : 200, body: { keys } });
  const { baseUrl } = proxy;
  const address = { baseUrl, jwksUrl: `${baseUrl}/oauth/jwks`, kids: ['one'] };
  expect(await checkAddress({ ...address, isRunning: true })).toMatchObject([{ name: 'public-keys', ...status }]);
  expect(await checkAddress({ ...address, isRunning: false })).toMatchObject([{ ok: true }]);
});

test('a misspelt variable, and the variables of one server', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-doctor-'));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('TRUSTPROXY', '1');
  const diagnose = async (server: string): Promise<readonly Check[]> =>
    JSON.parse((await run('doctor', '--server', server, '--json')).stdout);
  expect(named(await diagnose('all'), 'configuration')).toMatchObject({
    ok: true,
    warning: true,
    detail: 'TRUSTPROXY is ignored; TRUST_PROXY is meant?',
  });
  expect(await diagnose('auth')).toContainEqual(
    expect.objectContaining({
      name: 'configuration',
      ok: false,
      detail: expect.stringMatching(/BASE_URL: is required/),
    }),
  );
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  expect((await diagnose('auth')).map(({ name }) => name)).toContain('mail');
  expect((await diagnose('api')).map(({ name }) => name)).not.toContain('mail');
  await rm(dataDir, { recursive: true });
});
