import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { findRecordedProxies } from '@linnet/db/connection/untrusted-proxy';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
});
afterAll(() => cleanup.disposeAsync());

const warnings = ({ log }: RunningAuth) => log.filter((line) => line.includes('TRUST_PROXY'));
const visit = async (auth: RunningAuth, headers: Readonly<Record<string, string>> = {}) =>
  await auth.send({ path: '/login', headers });
const forwarded = { 'x-forwarded-for': '203.0.113.9' };

test('nothing is reported without X-Forwarded-For, or when TRUST_PROXY counts the proxy', async () => {
  await using direct = await startAuth(database.url, { owner: 'owner_direct' });
  await visit(direct);
  await using counted = await startAuth(database.url, { owner: 'owner_counted', trustProxy: 1 });
  await visit(counted, forwarded);
  expect([...warnings(direct), ...warnings(counted)]).toEqual([]);
  expect(await findRecordedProxies(direct.db)).toBeUndefined();
});

test('X-Forwarded-For from a private address is reported once, for doctor, and at the next start', async () => {
  await using auth = await startAuth(database.url, { owner: 'owner_behind' });
  for (let request = 0; request < 3; request += 1) await visit(auth, forwarded);
  expect(warnings(auth)).toHaveLength(1);
  await vi.waitFor(async () => expect(await findRecordedProxies(auth.db)).toBe(1), 50_000);
  await using next = await startAuth(database.url, { owner: 'owner_again' });
  expect(warnings(next)).toHaveLength(1);
});

test('fewer addresses than TRUST_PROXY counts are reported once, for doctor, and at the next start', async () => {
  await using other = await createTestDatabase(inject('databaseServer'));
  await using auth = await startAuth(other.url, { owner: 'owner_of_two', trustProxy: 3 });
  await visit(auth); // a probe, not a client
  for (let request = 0; request < 3; request += 1) await visit(auth, { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' });
  expect(warnings(auth)).toEqual([expect.stringContaining('fewer addresses in X-Forwarded-For (2)')]);
  await vi.waitFor(async () => expect(await findRecordedProxies(auth.db)).toBe(2), 50_000);
  await using next = await startAuth(other.url, { owner: 'owner_of_three', trustProxy: 3 });
  await using corrected = await startAuth(other.url, { owner: 'owner_corrected', trustProxy: 2 });
  expect([warnings(next).length, warnings(corrected).length]).toEqual([1, 0]);
});
