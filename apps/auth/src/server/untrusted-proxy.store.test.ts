import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { wasUntrustedProxySeen } from '@linnet/db/connection/untrusted-proxy';
import { untrustedProxyWarning } from '@linnet/service/http/untrusted-proxy';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
});
afterAll(() => cleanup.disposeAsync());

const warnings = ({ log }: RunningAuth) => log.filter((line) => line.includes(untrustedProxyWarning.slice(0, 40)));
const visit = async (auth: RunningAuth, headers: Readonly<Record<string, string>> = {}) =>
  await auth.send({ path: '/login', headers });
const forwarded = { 'x-forwarded-for': '203.0.113.9' };

test('nothing is reported without X-Forwarded-For, or when TRUST_PROXY counts the proxy', async () => {
  await using direct = await startAuth(database.url, { owner: 'owner_direct' });
  await visit(direct);
  await using counted = await startAuth(database.url, { owner: 'owner_counted', trustProxy: 1 });
  await visit(counted, forwarded);
  expect([...warnings(direct), ...warnings(counted)]).toEqual([]);
  expect(await wasUntrustedProxySeen(direct.db)).toBe(false);
});

test('X-Forwarded-For from a private address is reported once, for doctor, and at the next start', async () => {
  await using auth = await startAuth(database.url, { owner: 'owner_behind' });
  for (let request = 0; request < 3; request += 1) await visit(auth, forwarded);
  expect(warnings(auth)).toHaveLength(1);
  await vi.waitFor(async () => expect(await wasUntrustedProxySeen(auth.db)).toBe(true));
  await using next = await startAuth(database.url, { owner: 'owner_again' });
  expect(warnings(next)).toHaveLength(1);
});
