import { randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { saveSession } from './session-store.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

test('a session that the provider destroys is revoked, so that no parallel request can save it again', async () => {
  const person = await registerPerson(auth.db, 'signing_out');
  const browser = createBrowser(auth);
  await signIn(browser, person);
  const page = await browser.open('/oauth/logout');
  await browser.submit(page, page.formOf('sign-out'));
  const sessions = await auth.db.prisma.session.findMany({ where: { accountId: person.id } });
  expect(sessions).toEqual([expect.objectContaining({ revokedAt: expect.any(Date), idSha256: null })]);
});

test.each(['/oauth/authorize', '/oauth/logout'])(
  '%s: a session that ends while its request is answered is a request without a session',
  async (path) => {
    const person = await registerPerson(auth.db, `ends_${path.split('/').at(-1) ?? ''}`);
    const app = await registerThirdParty(auth);
    const address = path === '/oauth/authorize' ? app.authorizationAddress() : path;
    for (let round = 0; round < 10; round += 1) {
      const browser = createBrowser(auth);
      await signIn(browser, person);
      const [page] = await Promise.all([
        browser.open(address),
        auth.db.prisma.session.updateMany({ where: { accountId: person.id }, data: { revokedAt: new Date() } }),
      ]);
      expect(page.status).toBeLessThan(500);
      expect((await browser.open('/account')).url.pathname).toBe('/login');
    }
  },
);

test('parallel requests of one browser all save the session', async () => {
  const session = {
    uid: 'parallel_requests',
    idSha256: randomBytes(32),
    accountId: null,
    payload: {},
    userAgent: '',
    address: '127.0.0.1',
    expiresAt: new Date(Date.now() + 3_600_000),
  };
  expect(await saveSession(auth.db, session)).toBe(true);
  for (let round = 0; round < 100; round += 1) {
    const saves = Array.from({ length: 10 }, () => saveSession(auth.db, session));
    expect(await Promise.all(saves)).not.toContain(false);
  }
});
