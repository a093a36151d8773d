import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { resetPassword } from '@linnet/applications/grants/first-proof-store';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

test('RT8: a password set by an operator revokes sessions, refresh tokens and codes, and applications must ask again', async () => {
  const ada = await registerPerson(auth.db, 'ada_byron');
  const browser = createBrowser(auth);
  await signIn(browser, ada);
  const app = await connect(auth, browser);
  const code = await app.authorize(browser);
  const password = 'another password';
  expect(await resetPassword(auth.db, 'ADA_Byron', password)).toBe(true);

  expect((await browser.open('/account')).url.pathname).toBe('/login');
  expect(await app.refresh(app.refreshToken)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  expect(await app.exchange(code)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  await signIn(browser, { ...ada, password });
  expect((await browser.open('/account')).url.pathname).toBe('/account');
  expect((await app.send(browser)).text).toContain('wants to access your account');
});

test('returns false for an unknown account', async () => {
  expect(await resetPassword(auth.db, 'nobody_here', 'another password')).toBe(false);
});
