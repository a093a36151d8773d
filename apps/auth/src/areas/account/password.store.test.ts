import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../../pages/i18n/messages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const { password: texts } = catalogues.en.account;
const { passwordErrors } = catalogues.en.signIn;
const next = 'correct horse battery';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { trustProxy: 1 }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  ada = await registerPerson(auth.db, `person_${String(people)}`);
  browser = createBrowser(auth, { headers: { 'x-forwarded-for': `203.0.113.${String(people)}` } });
  await signIn(browser, ada);
});

async function change(current: string, wanted: string): Promise<Page> {
  const page = await browser.open('/account/password');
  return await browser.submit(page, page.formOf('change-password'), {
    current_password: current,
    new_password: wanted,
  });
}

/** Whether the password signs in. */
async function opens(password: string): Promise<boolean> {
  const other = createBrowser(auth, { headers: { 'x-forwarded-for': '198.51.100.1' } });
  return (await signIn(other, { username: ada.username, password })).url.pathname !== '/login';
}

function wrongFields({ html }: Page): readonly (string | undefined)[] {
  const wrong = findElements(html, 'input').filter(({ attributes }) => attributes['aria-invalid'] === 'true');
  return wrong.map(({ attributes }) => attributes['name']);
}

describe('RT8: changing the password', () => {
  test('keeps this browser signed in under a new session and revokes every other session', async () => {
    const other = createBrowser(auth);
    await signIn(other, ada);
    const thief = createBrowser(auth, { cookies: browser.cookies.copy() });
    const before = browser.cookies.value('__Host-linnet_session');
    const changed = await change(ada.password, next);
    expect(changed).toMatchObject({ status: 200, hops: [{ status: 303 }] });
    expect(changed.text).toContain(texts.changed);
    expect(browser.cookies.value('__Host-linnet_session')).not.toBe(before);
    expect((await browser.open('/account')).url.pathname).toBe('/account');
    expect((await other.open('/account')).url.pathname).toBe('/login');
    expect((await thief.open('/account')).url.pathname).toBe('/login');
    expect([await opens(ada.password), await opens(next)]).toEqual([false, true]);
  });

  test('revokes refresh tokens and codes, and applications must ask again', async () => {
    const app = await connect(auth, browser);
    const code = await app.authorize(browser);
    await change(ada.password, next);
    expect(await app.refresh(app.refreshToken)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect(await app.exchange(code)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect((await app.send(browser)).text).toContain('wants to access your account');
  });

  test('leaves no password in pages, log or database', async () => {
    const rejected = await change('not the password', next);
    const changed = await change(ada.password, next);
    for (const text of [rejected.html, changed.html, auth.log.join(''), await dumpDatabase(auth.db)]) {
      expect(text).not.toContain(next);
      expect(text).not.toContain('not the password');
      expect(text).not.toContain(ada.password);
    }
  });
});

describe('a rejected form', () => {
  test('changes nothing if the current password is wrong', async () => {
    const app = await connect(auth, browser);
    const rejected = await change('not the password', next);
    expect(rejected.status).toBe(422);
    expect(wrongFields(rejected)).toEqual(['current_password']);
    expect(rejected.text).toContain(texts.currentWrong);
    expect((await browser.open('/account')).url.pathname).toBe('/account');
    expect((await app.refresh(app.refreshToken)).status).toBe(200);
    expect([await opens(ada.password), await opens(next)]).toEqual([true, false]);
  });

  test.each([
    ['', next, ['current_password'], texts.currentMissing],
    ['x', '', ['new_password'], passwordErrors.tooShort],
    ['x', '12345', ['new_password'], passwordErrors.tooShort],
    ['x', 'y'.repeat(257), ['new_password'], passwordErrors.tooLong],
    ['x', 'password', ['new_password'], passwordErrors.common],
    ['x', 'Ada Byron', ['new_password'], passwordErrors.sameAsName],
    ['', '', ['current_password', 'new_password'], texts.currentMissing],
  ])('%j, then %j: %j', async (current, wanted, fields, text) => {
    const rejected = await change(current, wanted);
    expect(rejected.status).toBe(422);
    expect(wrongFields(rejected)).toEqual(fields);
    expect(rejected.text).toContain(text);
  });

  test('UI3: rejects a form without the token of this browser', async () => {
    const page = await browser.open('/account/password');
    const values = { current_password: ada.password, new_password: next, csrf: 'x' };
    expect((await browser.submit(page, page.formOf('change-password'), values)).status).toBe(403);
    expect(await opens(ada.password)).toBe(true);
  });
});

describe('UI11: guessing the current password', () => {
  test('is limited per address', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      statuses.push((await change(`guess ${String(attempt)}`, next)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429]);
    const throttled = await change(ada.password, next);
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0);
    expect(throttled.text).toContain(texts.throttled);
    expect(await opens(ada.password)).toBe(true);
  });

  test('the correct password resets the counter', async () => {
    for (let attempt = 0; attempt < 9; attempt += 1) await change('wrong', next);
    expect((await change(ada.password, next)).status).toBe(200);
    for (let attempt = 0; attempt < 9; attempt += 1) expect((await change('wrong', next)).status).toBe(422);
  });
});
