import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { baseUrl, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { securityContact: 'mailto:security@example.org' }));
});
afterAll(() => cleanup.disposeAsync());

const day = 24 * 3600 * 1000;

test('RFC 9116: security.txt has a contact, an expiry within a year and its own address', async () => {
  const { status, headers, text } = await auth.send({ path: '/.well-known/security.txt' });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2)),
  );
  expect(fields).toEqual({
    Contact: 'mailto:security@example.org',
    Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/),
    Canonical: `${baseUrl}/.well-known/security.txt`,
  });
  const left = Date.parse(String(fields['Expires'])) - Date.now();
  expect(left).toBeGreaterThan(100 * day);
  expect(left).toBeLessThan(365 * day);
});

test('security.txt does not exist without SECURITY_CONTACT', async () => {
  await using silent = await startAuth(database.url, { owner: 'owner_of_silence' });
  expect((await silent.send({ path: '/.well-known/security.txt' })).status).toBe(404);
});

test.each(['GET', 'HEAD'])('%s /.well-known/change-password leads to the page, on any host', async (method) => {
  const { status, headers } = await auth.send({
    method,
    path: '/.well-known/change-password',
    headers: { host: 'another.example' },
  });
  expect([status, headers.location]).toEqual([302, `${baseUrl}/account/password`]);
});

test('other methods are not served', async () => {
  for (const path of ['/.well-known/security.txt', '/.well-known/change-password']) {
    const { status, headers } = await auth.send({ method: 'POST', path });
    expect([404, 405]).toContain(status);
    expect(headers).not.toHaveProperty('location');
  }
});
