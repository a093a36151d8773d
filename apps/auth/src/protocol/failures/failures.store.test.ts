// Only the owner of an application sees why its requests were rejected.
import { createTestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '../../testing/browser.ts';
import type { Browser, Page } from '../../testing/browser.ts';
import { registerPerson, signIn } from '../../testing/person.ts';
import { basic, startAuth } from '../../testing/running-auth.ts';
import type { RunningAuth } from '../../testing/running-auth.ts';
import { registerThirdParty } from '../../testing/third-party.ts';
import { findFailures, insertFailures, sweepFailures } from './failure-store.ts';
import type { NewFailure } from './failure-store.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let owner: Browser;
let stranger: Browser;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  const person = await registerPerson(auth.db, 'failing_owner');
  [owner, stranger] = [createBrowser(auth), createBrowser(auth)];
  await signIn(owner, person);
  await signIn(stranger, await registerPerson(auth.db, 'curious_person'));
});
afterAll(() => cleanup.disposeAsync());

async function register() {
  return await registerThirdParty(auth, { owner: 'failing_owner' });
}

async function openActivity(browser: Browser, clientId: string, query = ''): Promise<Page> {
  return await browser.open(`/developer/applications/${clientId}/activity${query}`);
}

test('shows a wrong redirect URI beside the nearest registered one, without the values of its query', async () => {
  const app = await register();
  const { clientId } = app;
  await app.send(stranger, { redirect_uri: 'https://app.example.com/calback/?token=hidden-value', state: 'aGlkZGVu' });
  await app.send(stranger, { redirect_uri: 'https://control.example/\u0007\u001B[31m' });
  await vi.waitFor(async () => {
    const { text } = await openActivity(owner, clientId);
    expect(text).toContain('https://control.example/\uFFFD\uFFFD[31m');
    expect(text).toContain('The redirect URI is not registered');
    expect(text).toContain('https://app.example.com/calback/?token=…');
    expect(text).toContain('https://app.example.com/cal missing: l back extra: /?token=…');
    expect(text).not.toMatch(/hidden-value|aGlkZGVu/);
  }, 50_000);
});

test('only the owner sees the failures, filtered by kind on request, and in the language of the browser', async () => {
  const app = await register();
  const { clientId } = app;
  await app.refresh('not-a-refresh-token');
  await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, 'not-the-secret'));
  await vi.waitFor(async () => {
    const found = await findFailures(auth.db, clientId, undefined);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['refresh_token', 'credentials']));
  }, 50_000);
  const { text: one } = await openActivity(owner, clientId, '?failed=credentials');
  expect(one).toContain('Client authentication failed.');
  expect(one).not.toContain('The refresh token is unknown');
  expect(one).not.toMatch(/not-a-refresh-token|not-the-secret/);
  const german = createBrowser(auth, { headers: { 'accept-language': 'de' }, cookies: owner.cookies.copy() });
  expect((await openActivity(german, clientId)).text).toContain('Die Anwendung hat sich nicht ausgewiesen.');
  expect((await openActivity(stranger, clientId, '?failed=credentials')).status).toBe(404);
});

test('failures are kept for 7 days, at most 100 per application and minute', async () => {
  const { clientId } = await register();
  const failure = { clientId, kind: 'scope', endpoint: '/oauth/token', error: 'invalid_scope', reason: '-' } as const;
  const daysAgo = (days: number): NewFailure => ({ ...failure, at: new Date(Date.now() - days * 86_400_000) });
  await insertFailures(auth.db, [daysAgo(6.9), daysAgo(7.1), { ...daysAgo(0), clientId: 'of-nobody' }]);
  const count = async () => await auth.db.prisma.requestLog.count({ where: { clientId } });
  expect([(await findFailures(auth.db, clientId, 'scope')).length, await count()]).toEqual([1, 2]);
  await sweepFailures(auth.db);
  expect(await count()).toBe(1);
  await insertFailures(
    auth.db,
    Array.from({ length: 70 }, () => daysAgo(0)),
  );
  await insertFailures(
    auth.db,
    Array.from({ length: 70 }, () => daysAgo(0)),
  );
  expect(await count()).toBe(101);
});
