import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let app: Connected;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  const browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'basic_person'));
  app = await connect(auth, browser, { type: 'public' });
});
afterAll(() => cleanup.disposeAsync());

test('D104 a public client may name itself by HTTP Basic with an empty secret', async () => {
  const form = { grant_type: 'refresh_token', refresh_token: app.refreshToken };
  const first = await auth.requestToken(form, basic(app.clientId, ''));
  expect(first.status).toBe(200);
  const again = { ...form, refresh_token: String(first.json['refresh_token']), client_id: app.clientId };
  const second = await auth.requestToken(again, basic(app.clientId, ''));
  expect(second.status).toBe(200);
  const others = { ...form, refresh_token: String(second.json['refresh_token']), client_id: 'app_of_another' };
  const refused = await auth.requestToken(others, basic(app.clientId, ''));
  expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_request']);
});

test('offline_access is ignored when a token is refreshed', async () => {
  const browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'offline_person'));
  const own = await connect(auth, browser, { type: 'public' });
  const refresh = async (refreshToken: unknown, scope: string) =>
    await auth.requestToken({
      client_id: own.clientId,
      grant_type: 'refresh_token',
      refresh_token: String(refreshToken),
      scope,
    });
  const one = await refresh(own.refreshToken, 'users offline_access');
  expect([one.status, one.json.scope]).toEqual([200, 'users']);
  const all = await refresh(one.json['refresh_token'], 'offline_access');
  expect([all.status, all.json.scope]).toEqual([200, 'users posts email']);
  expect((await refresh(all.json['refresh_token'], 'users nonsense')).json['error']).toBe('invalid_scope');
});

test('an empty secret does not authenticate a client that has credentials', async () => {
  const { clientId } = await auth.register();
  const answer = await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, ''));
  expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request']);
  const unknown = await auth.requestToken({ grant_type: 'client_credentials' }, basic('app_unknown', ''));
  expect(unknown.status).toBe(400);
});
