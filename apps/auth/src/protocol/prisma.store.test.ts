import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test, vi } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { protocolTargets } from '@linnet/test/auth/protocol-targets';
import { basic, startAuth } from '@linnet/test/auth/running-auth';

test('no endpoint of the protocol uses Prisma, which takes memory in each process; the developer area does', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using auth = await startAuth(database.url, { rateLimits: false });
  const browser = createBrowser(auth);
  const app = await connectSignedIn();
  const credentials = basic(app.clientId, app.clientSecret);
  const findPrisma = vi.spyOn(auth.db, 'prisma', 'get');

  const { json, status } = await app.exchange(await app.authorize(browser));
  const refreshed = await app.refresh(String(json['refresh_token']));
  const own = await auth.requestToken({ grant_type: 'client_credentials' }, credentials);
  expect([status, refreshed.status, own.status]).toEqual([200, 200, 200]);
  for (const { method, path, parameters } of protocolTargets({ id: app.clientId, secret: app.clientSecret ?? '' })) {
    const encoded = new URLSearchParams(parameters).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await auth.send(method === 'GET' ? { path: `${path}?${encoded}` } : { method, path, headers, body: encoded });
  }
  expect(findPrisma).not.toHaveBeenCalled();

  expect((await browser.open('/developer')).status).toBe(200);
  expect(findPrisma).toHaveBeenCalled();

  async function connectSignedIn() {
    await signIn(browser, await registerPerson(auth.db, 'signed_in'));
    return await connect(auth, browser);
  }
});
