import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { Secret } from '@linnet/service/config/secret';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

/** SECRET_KEYS changes: a server with the former key, one with a new key in front of it, one with the new key alone. */
const former = new Secret('the former key, long enough for use');
const present = new Secret('the present key, long enough for use');

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let before: RunningAuth;
let during: RunningAuth;
let after: RunningAuth;
let person: Person;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const start = async (owner: string, secretKeys: readonly Secret[]) =>
    cleanup.use(await startAuth(database.url, { owner, secretKeys, rateLimits: false }));
  before = await start('owner_before', [former]);
  during = await start('owner_during', [present, former]);
  after = await start('owner_after', [present]);
  person = await registerPerson(before.db, 'Ada_Lovelace');
});
afterAll(() => cleanup.disposeAsync());

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/logout')).text.includes('You are signed in');
}

test('people stay signed in, and open forms still work', async () => {
  const browser = createBrowser(before);
  const page = await browser.open('/login');
  const { cookies } = browser;
  await signIn(createBrowser(during, { cookies }), person, page);
  expect(await isSignedIn(createBrowser(during, { cookies }))).toBe(true);
  const onFormer = createBrowser(before);
  await signIn(onFormer, person);
  const moved = createBrowser(during, { cookies: onFormer.cookies });
  expect(await isSignedIn(moved)).toBe(true);
  // Visited once, the cookie is signed with the new key.
  expect(await isSignedIn(createBrowser(after, { cookies: onFormer.cookies }))).toBe(true);
});

test('RT3 a refresh token repeated across the change gets the same successor', async () => {
  const browser = createBrowser(before);
  await signIn(browser, person);
  const app = await connect(before, browser, { type: 'public', owner: 'owner_before' });
  const refresh = async (auth: RunningAuth, token: string) =>
    await auth.requestToken({ grant_type: 'refresh_token', refresh_token: token, client_id: app.clientId });

  const first = await refresh(before, app.refreshToken);
  const successor = String(first.json['refresh_token']);
  const repeated = await refresh(during, app.refreshToken);
  expect([repeated.status, repeated.json['refresh_token']]).toEqual([200, successor]);

  // Without the previous key, the successor cannot be derived: another one replaces it, and no branch is created.
  const another = await refresh(after, app.refreshToken);
  expect([another.status, another.json['refresh_token'] === successor]).toEqual([200, false]);
  const active = { where: { kind: 'RefreshToken', consumedAt: null } };
  expect(await database.db.prisma.oAuthArtifact.count(active)).toBe(1);
  const used = String(another.json['refresh_token']);
  const next = await refresh(after, used);
  expect(next.status).toBe(200);
  expect((await refresh(during, used)).json['refresh_token']).toBe(next.json['refresh_token']);
  expect((await refresh(during, app.refreshToken)).json['error']).toBe('invalid_grant');
});
