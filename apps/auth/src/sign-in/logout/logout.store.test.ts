import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let ada: Person;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
});
afterAll(() => cleanup.disposeAsync());

/** The log lines about sign-outs. */
function signOuts(): Record<string, unknown>[] {
  const lines = auth.log.map((line): Record<string, unknown> => JSON.parse(line));
  return lines.filter(({ msg }) => msg === 'signed out');
}

describe('signing out', () => {
  test('GET asks and changes nothing, POST ends the session', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const before = browser.cookies.copy();
    for (let visit = 0; visit < 2; visit += 1) {
      const page = await browser.open('/logout');
      expect(page).toMatchObject({ status: 200, title: expect.stringContaining('Sign out?') });
      expect(page.text).toContain('You are signed in to Linnet as ada_lovelace');
    }
    const page = await browser.open('/logout');
    const out = await browser.submit(page, page.formOf('sign-out'));
    expect(out.hops.map(({ status, to }) => [status, to.pathname])).toEqual([[303, '/logout']]);
    expect(out.text).toContain('You’re signed out');
    expect(browser.cookies.names).not.toContain('__Host-linnet_session');
    expect((await createBrowser(auth, { cookies: before }).open('/logout')).text).toContain('You’re signed out');
  });

  test('also works twice, and without a session', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/logout');
    const answers = await Promise.all([1, 2].map(() => browser.submitOnly(page, page.formOf('sign-out'))));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await browser.submit(page, page.formOf('sign-out'))).text).toContain('You’re signed out');
  });

  test('other browsers stay signed in', async () => {
    const [here, elsewhere] = [createBrowser(auth), createBrowser(auth)];
    await signIn(here, ada);
    await signIn(elsewhere, ada);
    const page = await here.open('/logout');
    await here.submit(page, page.formOf('sign-out'));
    expect((await elsewhere.open('/logout')).text).toContain('You are signed in');
  });

  test('UI9: ignores every redirect parameter', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/logout?return_to=//evil.example&post_logout_redirect_uri=//evil.example');
    expect((await browser.submitOnly(page, page.formOf('sign-out'))).headers.location).toBe('/logout');
  });

  test('is logged with the id of the account', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const page = await browser.open('/logout');
    auth.log.length = 0;
    await browser.submit(page, page.formOf('sign-out'));
    await browser.submit(page, page.formOf('sign-out'));
    expect(signOuts()).toEqual([expect.objectContaining({ accountId: ada.id, requestId: expect.any(String) })]);
  });
});
