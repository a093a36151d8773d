import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  grace = await registerPerson(auth.db, 'grace_hopper');
});
afterAll(() => cleanup.disposeAsync());

async function allow(browser: Browser, consent: Page): Promise<Page> {
  return await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope: 'email' });
}

/** A person in a new browser who has authorized the application before. */
async function signedInAndAgreed(app: Awaited<ReturnType<typeof registerThirdParty>>, person = ada): Promise<Browser> {
  const browser = createBrowser(auth);
  expect((await allow(browser, await signIn(browser, person, await app.send(browser)))).isElsewhere).toBe(true);
  return browser;
}

function loginOf(page: Page): string | undefined {
  return new Map(page.formWith('login').fields).get('login');
}

describe('prompt=none', () => {
  test('never shows a page: returns login_required, consent_required or a code', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const parameters = { prompt: 'none' };
    const nobody = await app.send(browser, parameters);
    expect(nobody.isElsewhere).toBe(true);
    expect(nobody.url.searchParams.get('error')).toBe('login_required');
    await signIn(browser, ada);
    const notAgreed = await app.send(browser, parameters);
    expect(notAgreed.url.searchParams.get('error')).toMatch(/^(consent|interaction)_required$/);
    await allow(browser, await app.send(browser));
    const answer = await app.send(browser, parameters);
    expect(answer.url.searchParams.get('error')).toBeNull();
    expect((await app.exchange(answer)).status).toBe(200);
  });
});

describe('prompt=login', () => {
  test('asks for the password again, then continues without asking for consent', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const page = await app.send(browser, { prompt: 'login' });
    expect(loginOf(page)).toBe(ada.username);
    const before = browser.cookies.value('__Host-linnet_session');
    const callback = await signIn(browser, ada, page);
    expect((await app.exchange(callback)).status).toBe(200);
    expect(browser.cookies.value('__Host-linnet_session')).not.toBe(before);
  });

  test('lets another person sign in: the first is signed out, and the code is for the second', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const thief = createBrowser(auth, { cookies: browser.cookies.copy() });
    const consent = await signIn(browser, grace, await app.send(browser, { prompt: 'login' }));
    expect(consent.text).toContain('You are signed in as @grace_hopper');
    const { json } = await app.exchange(await allow(browser, consent));
    expect(decodeJwt(json.access_token).sub).toBe(String(grace.id));
    expect((await thief.open('/logout')).text).toContain('You’re signed out');
  });

  test('a wrong password keeps the current session', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const page = await app.send(browser, { prompt: 'login' });
    const rejected = await signIn(browser, { ...ada, password: 'wrong' }, page);
    expect(rejected.status).toBe(422);
    expect((await browser.open('/logout')).text).toContain('as ada_lovelace');
    expect((await signIn(browser, ada, rejected)).isElsewhere).toBe(true);
  });
});

describe('prompt=consent', () => {
  test('asks again although consent is remembered', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const page = await app.send(browser, { prompt: 'consent' });
    expect(page.text).toContain('wants to access your account');
    expect((await app.exchange(await allow(browser, page))).status).toBe(200);
  });

  test('prompt=login consent asks for both, in this order', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const consent = await signIn(browser, ada, await app.send(browser, { prompt: 'login consent' }));
    expect((await allow(browser, consent)).isElsewhere).toBe(true);
  });
});

describe('prompt=select_account', () => {
  const parameters = { prompt: 'select_account' };

  test('shows who is signed in; continuing keeps the session and needs no consent again', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const page = await app.send(browser, parameters);
    expect(page.text).toContain('You are signed in as @ada_lovelace');
    const callback = await browser.submit(page, page.formWith('account'), { account: 'keep' });
    expect(decodeJwt((await app.exchange(callback)).json.access_token).sub).toBe(String(ada.id));
  });

  test('another account: the first person stays signed in until the second signs in, and the code is for the second', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const page = await app.send(browser, parameters);
    const login = await browser.submit(page, page.formWith('account'), { account: 'other' });
    expect(loginOf(login)).toBe('');
    expect((await browser.open('/logout')).text).toContain('as ada_lovelace');
    const consent = await signIn(browser, grace, login);
    expect(consent.text).toContain('You are signed in as @grace_hopper');
    const { json } = await app.exchange(await allow(browser, consent));
    expect(decodeJwt(json.access_token).sub).toBe(String(grace.id));
  });

  test('a visitor selects the account by signing in', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser, parameters));
    expect((await allow(browser, consent)).isElsewhere).toBe(true);
  });

  test.each(['login select_account', 'select_account login'])('%s asks for the password only', async (prompt) => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const callback = await signIn(browser, ada, await app.send(browser, { prompt }));
    expect((await app.exchange(callback)).status).toBe(200);
  });

  test('select_account consent asks for both, in this order', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const page = await app.send(browser, { prompt: 'consent select_account' });
    const consent = await browser.submit(page, page.formWith('account'), { account: 'keep' });
    expect(consent.text).toContain('wants to access your account');
    expect((await allow(browser, consent)).isElsewhere).toBe(true);
  });

  test.each(['none select_account', 'select_account none', 'select_accounts'])(
    '%s is invalid_request',
    async (prompt) => {
      const app = await registerThirdParty(auth);
      const browser = await signedInAndAgreed(app);
      const answer = await app.send(browser, { prompt });
      expect(answer.url.searchParams.get('error')).toBe('invalid_request');
    },
  );

  test('an unknown choice shows the page again', async () => {
    const app = await registerThirdParty(auth);
    const browser = await signedInAndAgreed(app);
    const page = await app.send(browser, parameters);
    const again = await browser.submit(page, page.formWith('account'), { account: 'nobody' });
    expect(again.text).toContain('Continue as @ada_lovelace');
  });
});

describe('max_age', () => {
  test('asks for the password again if the sign-in is older', async () => {
    const app = await registerThirdParty(auth);
    const openid = { scope: 'openid posts', max_age: '3600' };
    const browser = createBrowser(auth);
    await allow(browser, await signIn(browser, ada, await app.send(browser, openid)));
    expect((await app.send(browser, openid)).isElsewhere).toBe(true);
    await auth.db.prisma.$executeRaw`
      UPDATE session SET payload = payload || jsonb_build_object('loginTs', (payload->>'loginTs')::int - 3700)`;
    const page = await app.send(browser, openid);
    expect(loginOf(page)).toBe(ada.username);
    const callback = await signIn(browser, ada, page);
    expect(decodeJwt(String((await app.exchange(callback)).json['id_token']))['auth_time']).toBeGreaterThan(
      Date.now() / 1000 - 60,
    );
  });
});

describe('login_hint', () => {
  test('fills the field and is treated as text', async () => {
    const app = await registerThirdParty(auth);
    for (const hint of ['grace@example.org', '"><script>alert(1)</script>', '\u202eevil']) {
      const page = await app.send(createBrowser(auth), { login_hint: hint });
      expect(loginOf(page)).toBe(hint);
      expect(page.html).not.toContain('<script>');
    }
  });

  test('what was typed replaces it', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const page = await app.send(browser, { login_hint: 'grace@example.org' });
    expect(loginOf(await signIn(browser, { username: 'ada', password: 'wrong' }, page))).toBe('ada');
  });
});

describe('ui_locales', () => {
  test('de: every page of the authorization is in German', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth, { headers: { 'accept-language': 'en' } });
    const login = await app.send(browser, { ui_locales: 'it de-AT en' });
    const register = await browser.open(`${login.url.pathname}/register`);
    const rejected = await signIn(browser, { ...ada, password: 'wrong' }, login);
    const stale = await browser.submit(login, login.formWith('login'), { csrf: '' });
    const consent = await signIn(browser, ada, login);
    for (const page of [login, register, rejected, stale, consent]) expect(page.html).toContain('<html lang="de">');
    expect(consent.text).toContain('Du bist als @ada_lovelace');
  });

  test('an unsupported language falls back to the browser’s', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth, { headers: { 'accept-language': 'de' } });
    expect((await app.send(browser, { ui_locales: 'xx-YY' })).html).toContain('<html lang="de">');
  });

  test('the language link on the page takes precedence', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser, { ui_locales: 'de' });
    expect((await browser.open(login.link('English'), login)).html).toContain('<html lang="en">');
  });
});

describe('not you?', () => {
  test('signs out and shows the sign-in page of the same interaction', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser, { state: 'kept' }));
    const before = browser.cookies.copy();
    const login = await browser.submit(consent, consent.formWith('decision', 'switch-account'));
    expect(login.hops.map(({ status }) => status)).toEqual([303]);
    expect(login.url.pathname).toBe(consent.url.pathname);
    expect(login.text).toContain('to continue to Test application');
    expect((await createBrowser(auth, { cookies: before }).open('/logout')).text).toContain('You’re signed out');
    const again = await signIn(browser, grace, login);
    expect(again.text).toContain('You are signed in as @grace_hopper');
    const callback = await allow(browser, again);
    expect(callback.url.searchParams.get('state')).toBe('kept');
    expect(decodeJwt((await app.exchange(callback)).json.access_token).sub).toBe(String(grace.id));
  });

  test('a consent page that was left open decides nothing for the next account', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    await browser.submit(consent, consent.formWith('decision', 'switch-account'));
    const late = await allow(browser, consent);
    expect(late).toMatchObject({ isElsewhere: false, status: 200 });
    expect(late.text).toContain('to continue to Test application');
    expect(await auth.db.prisma.grant.count({ where: { clientId: app.clientId } })).toBe(0);
  });
});
