import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

test('the overview shows the account and links to the other pages', async () => {
  const page = await browser.open('/account');
  for (const text of ['Ada Byron', '@ada_lovelace', 'ada_lovelace@example.org']) expect(page.text).toContain(text);
  for (const [text, path] of [
    ['Connected apps', '/account/applications'],
    ['Sessions', '/account/sessions'],
    ['Password', '/account/password'],
  ] as const) {
    expect(page.link(text)).toBe(path);
    expect((await browser.open(path)).status).toBe(200);
  }
});

test.each(['/account', '/account/applications', '/account/sessions', '/account/password'])(
  '%s is kept by no cache, and leads who is not signed in to the sign-in and back',
  async (path) => {
    expect((await browser.open(path)).headers['cache-control']).toBe('no-store');
    const stranger = createBrowser(auth);
    const login = await stranger.open(`${path}?lang=de`);
    expect(login.url.pathname).toBe('/login');
    const back = await signIn(stranger, ada, login);
    expect(`${back.url.pathname}${back.url.search}`).toBe(`${path}?lang=de`);
    expect(back.html).toContain('<html lang="de">');
  },
);

test.each(['/account/applications', '/account/sessions', '/account/password'])(
  'a form that is sent to %s by nobody leads to the sign-in and back to the page',
  async (path) => {
    const page = await browser.open(path);
    const form = { ...(await browser.open('/account/sessions')).formOf('end-all-sessions'), action: `${path}?a=b` };
    const login = await createBrowser(auth).submit(page, form);
    expect(login).toMatchObject({ status: 200, hops: [{ status: 303 }] });
    expect(login.url.pathname).toBe('/login');
    expect(login.url.searchParams.get('return_to')).toBe(`${path}?a=b&done=session-ended`);
    expect((await browser.open('/account')).url.pathname).toBe('/account');
  },
);

test.each(['/account/', '/Account', '/account/nothing', '/developer/', '/developer/applications'])(
  '%s gets 404',
  async (path) => {
    expect((await browser.open(path)).status).toBe(404);
  },
);

test('only our own pages can make a notice appear', async () => {
  const from = await browser.open('/account');
  expect((await browser.open('/account/password?done=changed', from)).text).toContain('Password changed.');
  expect((await browser.open('/account/password?done=changed')).text).not.toContain('Password changed.');
});
