import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
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
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
});
afterAll(() => cleanup.disposeAsync());

const allowed = { decision: 'allow', scope: 'email' };
const registration = {
  first_name: 'Grace',
  last_name: 'Hopper',
  username: '',
  email: 'grace@navy.example',
  password: 'nanosecond',
};

async function allow(browser: Browser, consent: Page): Promise<Page> {
  return await browser.submit(consent, consent.formWith('decision', 'allow'), allowed);
}

/** Submits a form twice at once and follows the second response, as browsers do. */
async function submitTwice(browser: Browser, page: Page, values: Readonly<Record<string, string>>): Promise<Page> {
  const [name = ''] = Object.keys(values);
  const form = page.formWith(name, name === 'decision' ? values[name] : undefined);
  const answers = await Promise.all([1, 2].map(() => browser.submitOnly(page, form, values)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  return await browser.open(answers[1]?.headers.location ?? '', page);
}

async function countGrants(clientId: string): Promise<number> {
  return await auth.db.prisma.grant.count({ where: { clientId, kind: 'consent', revokedAt: null } });
}

function expectEnded(page: Page): void {
  expect(page).toMatchObject({
    status: 400,
    isElsewhere: false,
    title: expect.stringContaining('This sign\u2011in has expired'),
  });
}

describe('AZ19: an interaction belongs to the browser that started it', () => {
  test('another browser gets an error page and cannot use it', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    const consent = await signIn(browser, ada, login);
    const stranger = createBrowser(auth);
    await signIn(stranger, ada);
    for (const { url } of [login, consent]) {
      expectEnded(await stranger.open(url.pathname));
      expectEnded(await stranger.open(`${url.pathname}/register`));
      const ended = await stranger.open(url.pathname);
      expect(ended.html).not.toContain('/oauth/authorize');
      // The form token is right, the interaction belongs to another browser.
      const form = (await stranger.open('/logout')).formOf('sign-out');
      expectEnded(await stranger.submit(ended, form, allowed));
      expectEnded(await stranger.submit(ended, form, { login: ada.username, password: ada.password }));
    }
    const resume = consent.url.pathname.replace('/interaction/', '/oauth/authorize/');
    expectEnded(await stranger.open(resume));
    expect(await countGrants(app.clientId)).toBe(0);
    expect((await allow(browser, consent)).isElsewhere).toBe(true);
  });

  test('without any cookie, every page of it asks to allow cookies', async () => {
    const app = await registerThirdParty(auth);
    const login = await app.send(createBrowser(auth));
    const resume = login.url.pathname.replace('/interaction/', '/oauth/authorize/');
    for (const path of [login.url.pathname, `${login.url.pathname}/register`, resume]) {
      const blocking = await createBrowser(auth).open(path);
      expect(blocking).toMatchObject({ status: 400, title: expect.stringContaining('Cookies are required') });
    }
  });

  test('the URL of one interaction does not open another one of the same browser', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const first = await app.send(browser);
    const second = await app.send(browser);
    const cookie = browser.cookies.headerFor(first.url.pathname) ?? '';
    expect(cookie).toMatch(/__Secure-linnet_interaction=.*__Secure-linnet_interaction\.sig=/);
    const answer = await auth.send({ path: second.url.pathname, headers: { cookie } });
    expect(answer.status).toBe(400);
  });

  test.each([
    '/interaction/x',
    '/interaction/x/register',
    '/interaction/%00',
    '/interaction/%E0%A4%A',
    '/interaction/..%2f..%2flogin',
    `/interaction/${'x'.repeat(65)}`,
    "/interaction/'%3B--",
  ])('%s is not an interaction, and causes no server error', async (address) => {
    const answer = await auth.send({ path: address, headers: { accept: 'text/html' } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test('a modified cookie opens nothing', async () => {
    const app = await registerThirdParty(auth);
    const login = await app.send(createBrowser(auth));
    const uid = login.url.pathname.replace('/interaction/', '');
    const cookie = `__Secure-linnet_interaction=${uid}; __Secure-linnet_interaction.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA`;
    const answer = await auth.send({ path: login.url.pathname, headers: { cookie } });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('/oauth/authorize');
  });
});

describe('the back button after an interaction has ended', () => {
  test('shows that it has ended, with a link that starts again', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser, { state: 'the same', nonce: 'n', scope: 'posts' });
    const consent = await signIn(browser, ada, login);
    await allow(browser, consent);
    for (const { url } of [login, consent]) {
      const ended = await browser.open(url.href);
      expectEnded(ended);
      const callback = await browser.open(ended.link('Start over'), ended);
      expect(callback.url.searchParams.get('state')).toBe('the same');
      const { json } = await app.exchange(callback);
      expect(json).toMatchObject({ scope: 'posts', nonce: 'n' });
    }
  });

  test('also an hour later', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    await auth.db.prisma.$executeRaw`
      UPDATE oauth_artifact SET payload = payload || jsonb_build_object('exp', (payload->>'exp')::int - 3700),
             expires_at = expires_at - interval '3700 seconds' WHERE kind = 'Interaction'`;
    const ended = await browser.open(login.url.href);
    expectEnded(ended);
    const again = await browser.open(ended.link('Start over'), ended);
    expect(again.text).toContain('to continue to Test application');
    expect((await signIn(browser, ada, login)).text).toContain('to continue to Test application');
  });

  test('also after the person has signed out in another tab', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    const logout = await browser.open('/logout');
    await browser.submit(logout, logout.formOf('sign-out'));
    expectEnded(await browser.open(consent.url.href));
    const late = await allow(browser, consent);
    expect(late.text).toContain('to continue to Test application');
    expect(await countGrants(app.clientId)).toBe(0);
  });
});

describe('a form that is submitted twice at once', () => {
  test('signing in: one session, one consent page', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    const before = await auth.db.prisma.session.count();
    const consent = await submitTwice(browser, login, { login: ada.username, password: ada.password });
    expect(consent.text).toContain('You are signed in as @ada_lovelace');
    expect(await auth.db.prisma.session.count()).toBe(before + 1);
    expect((await allow(browser, consent)).isElsewhere).toBe(true);
  });

  test('registering: one account', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    const page = await browser.open(`${login.url.pathname}/register`);
    const consent = await submitTwice(browser, page, registration);
    expect(consent.text).toContain('You are signed in as @grace_hopper');
    expect(await auth.db.prisma.account.count({ where: { emailCi: registration.email } })).toBe(1);
  });

  test('authorizing: one grant, one working code', async () => {
    const app = await registerThirdParty(auth, { type: 'public' });
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    const callback = await submitTwice(browser, consent, allowed);
    expect((await app.exchange(callback)).status).toBe(200);
    expect(await countGrants(app.clientId)).toBe(1);
  });

  test('authorizing and then denying: no grant remains', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    await browser.submitOnly(consent, consent.formWith('decision', 'allow'), allowed);
    const callback = await browser.submit(consent, consent.formWith('decision', 'deny'), { decision: 'deny' });
    expect(callback.url.searchParams.get('error')).toBe('access_denied');
    expect(await countGrants(app.clientId)).toBe(0);
  });

  test('opening the resume URL twice at once resumes once', async () => {
    const app = await registerThirdParty(auth, { type: 'public' });
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    const { headers } = await browser.submitOnly(consent, consent.formWith('decision', 'allow'), allowed);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => {
        const other = createBrowser(auth, { cookies: browser.cookies.copy() });
        return other.open(headers.location ?? '');
      }),
    );
    expect(answers.filter(({ isElsewhere }) => isElsewhere)).toHaveLength(1);
    for (const answer of answers.filter(({ isElsewhere }) => !isElsewhere)) expectEnded(answer);
  });
});

describe('a form that is submitted again later', () => {
  test('signing in: redirects to the current page', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const login = await app.send(browser);
    await signIn(browser, ada, login);
    expect((await signIn(browser, ada, login)).text).toContain('You are signed in as @ada_lovelace');
  });

  test('registering: redirects to the current page and creates no second account', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const page = await browser.open(`${(await app.send(browser)).url.pathname}/register`);
    const values = { ...registration, email: 'grace@cobol.example' };
    await browser.submit(page, page.formWith('first_name'), values);
    const again = await browser.submit(page, page.formWith('first_name'), values);
    expect(again.text).toContain('You are signed in as @grace_hopper_');
    expect(await auth.db.prisma.account.count({ where: { emailCi: values.email } })).toBe(1);
  });

  test('authorizing: a confidential application gets a code of the same grant', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    await allow(browser, consent);
    const callback = await allow(browser, consent);
    expect((await app.exchange(callback)).status).toBe(200);
    expect(await countGrants(app.clientId)).toBe(1);
  });

  test('authorizing: a public application at a loopback address asks again', async () => {
    const redirectUris = ['http://localhost:4711/callback'];
    const app = await registerThirdParty(auth, { type: 'public', redirectUris });
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    await allow(browser, consent);
    expect((await allow(browser, consent)).text).toContain('wants to access your account');
    expect(await countGrants(app.clientId)).toBe(1);
  });

  test('denying: shows that the interaction has ended', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    const form = consent.formWith('decision', 'deny');
    expect((await browser.submit(consent, form, { decision: 'deny' })).isElsewhere).toBe(true);
    expectEnded(await browser.submit(consent, form, { decision: 'deny' }));
  });
});

describe('UI3: a decision that another site sends', () => {
  test('is rejected with 403, and nothing is granted', async () => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const { url, forms } = await signIn(browser, ada, await app.send(browser));
    const csrf = Object.fromEntries(forms[0]?.fields ?? [])['csrf'] ?? '';
    const cookie = browser.cookies.headerFor(url.pathname) ?? '';
    const form = { 'content-type': 'application/x-www-form-urlencoded', cookie };
    const send = async (headers: Readonly<Record<string, string>>, fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({ ...allowed, ...fields }).toString();
      return (await auth.send({ method: 'POST', path: url.pathname, headers: { ...form, ...headers }, body })).status;
    };
    expect(await send({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, { csrf })).toBe(403);
    expect(await send({ origin: 'null' }, { csrf })).toBe(403);
    expect(await send({ 'sec-fetch-site': 'same-origin' }, {})).toBe(403);
    expect(await send({ 'sec-fetch-site': 'same-origin' }, { csrf: 'x' })).toBe(403);
    expect(await countGrants(app.clientId)).toBe(0);
    expect(await send({ 'sec-fetch-site': 'same-origin' }, { csrf })).toBe(303);
  });

  test.each(['', 'yes', 'ALLOW'])('rejects the decision %j', async (decision) => {
    const app = await registerThirdParty(auth);
    const browser = createBrowser(auth);
    const consent = await signIn(browser, ada, await app.send(browser));
    const page = await browser.submit(consent, consent.formWith('decision', 'allow'), { decision });
    expect(page.isElsewhere).toBe(false);
    expect(await countGrants(app.clientId)).toBe(0);
  });
});
