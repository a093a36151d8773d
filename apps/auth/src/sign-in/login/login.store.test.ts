import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { createCookieJar } from '@linnet/test/auth/cookie-jar';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const failed = 'Incorrect username, e-mail address or password.';
const sessionCookie = '__Host-linnet_session';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let ada: Person;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  ada = await registerPerson(auth.db, 'Ada_Lovelace');
});
afterAll(() => cleanup.disposeAsync());

async function tryToSignIn(login: string, password: string) {
  const browser = createBrowser(auth);
  const page = await browser.open('/login');
  return await browser.submit(page, page.formWith('login'), { login, password });
}

/** Whether the browser is signed in. */
async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/logout')).text.includes('You are signed in');
}

describe('signing in', () => {
  test.each(['Ada_Lovelace', 'ada_lovelace', 'Ada_Lovelace@example.org', ' ADA_LOVELACE@EXAMPLE.ORG '])(
    'as %j leads to My applications',
    async (login) => {
      const page = await tryToSignIn(login, ada.password);
      expect(page.url.pathname).toBe('/');
      expect(page.hops[0]).toMatchObject({ status: 303 });
    },
  );

  test('a person who is signed in is redirected', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    for (const [address, expected] of [
      ['/login', '/'],
      ['/login?return_to=%2Faccount%2Fsessions', '/account/sessions'],
      ['/login?return_to=%2F%2Fevil.example', '/'],
      ['/register?return_to=%2Faccount', '/account'],
    ] as const) {
      const { hops } = await browser.open(address);
      expect(hops[0]?.to.pathname).toBe(expected);
      expect(hops).toHaveLength(1);
    }
  });

  test('the page says what it is for when it leads to a new application', async () => {
    const { text } = await createBrowser(auth).open('/developer/applications/new');
    expect(text).toContain('Sign in to create an application');
    const register = await createBrowser(auth).open('/register?return_to=%2Fdeveloper%2Fapplications%2Fnew');
    expect(register.text).toContain('Create an account to create an application');
    expect((await createBrowser(auth).open('/developer')).text).not.toContain('to create an application');
  });

  test('return_to survives a failed sign-in and the link to the registration page', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login?return_to=%2Faccount%3Fa%3Db');
    expect(page.link('Create an account')).toBe('/register?return_to=%2Faccount%3Fa%3Db');
    const rejected = await browser.submit(page, page.formWith('login'), { login: 'ada', password: 'x' });
    const { hops } = await signIn(browser, ada, rejected);
    expect(`${hops[0]?.to.pathname}${hops[0]?.to.search}`).toBe('/account?a=b');
  });

  test('a form submitted twice at once signs in, and both responses redirect', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    const values = { login: ada.username, password: ada.password };
    const answers = await Promise.all([1, 2].map(() => browser.submitOnly(page, page.formWith('login'), values)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('submitting the form again later leaves one session', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    await signIn(browser, ada, page);
    const uid = await newestSession();
    const values = { login: ada.username, password: ada.password };
    expect((await browser.submitOnly(page, page.formWith('login'), values)).status).toBe(303);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await auth.db.prisma.session.findUnique({ where: { uid } })).toMatchObject({ revokedAt: expect.any(Date) });
  });
});

async function newestSession(): Promise<string> {
  const where = { accountId: ada.id, revokedAt: null };
  const { uid } = await auth.db.prisma.session.findFirstOrThrow({ where, orderBy: { createdAt: 'desc' } });
  return uid;
}

describe('a failed sign-in', () => {
  const attempts = [
    ['Ada_Lovelace', 'wrong'],
    ['Ada_Lovelace', ''],
    ['Ada_Lovelace', 'PASSWORD OF EVERYBODY'],
    ['nobody_at_all', 'password of everybody'],
    ['nobody@example.org', 'wrong'],
    ['', ''],
    ["' OR 1=1 --", "' OR 1=1 --"],
    ['<script>alert(1)</script>', 'x'],
    ['x'.repeat(99), 'y'.repeat(99)],
  ] as const;

  test.each(attempts)('%j, %j: 4xx, one text, and what was typed except the password', async (login, password) => {
    const page = await tryToSignIn(login, password);
    expect(page.status).toBe(422);
    expect(page.html).toContain(`<div class="notice problem" role="alert" tabindex="-1" autofocus>${failed}</div>`);
    expect(page.formWith('login').fields).toContainEqual(['login', login]);
    expect(page.formWith('login').fields).toContainEqual(['password', '']);
  });

  test('the password is nowhere on the page', async () => {
    const page = await tryToSignIn(ada.username, 'a telling secret');
    expect(page.html).not.toContain('telling');
    expect(JSON.stringify(page.headers)).not.toContain('telling');
  });

  test('the pages differ only in what was typed', async () => {
    const pages = await Promise.all(['Ada_Lovelace', 'Bob_Lovelace'].map((login) => tryToSignIn(login, 'wrong')));
    const [known, unknown] = pages.map(({ html }) =>
      html.replaceAll(/(Ada|Bob)_Lovelace/g, '').replaceAll(/name="csrf" value="[^"]+"|data-question="[^"]+"/g, ''),
    );
    expect(known).toBe(unknown);
  });

  test('changes no session', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    await browser.submit(page, page.formWith('login'), { login: ada.username, password: 'wrong' });
    expect(browser.cookies.names).not.toContain(sessionCookie);
    await signIn(browser, ada, page);
    await browser.submitOnly(page, page.formWith('login'), { login: ada.username, password: 'wrong' });
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('rejects a field that occurs twice', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    const twice = await browser.submit(page, page.formWith('login'), { login: ['a', 'b'], password: 'x' });
    expect(twice).toMatchObject({ status: 400, title: expect.stringContaining('This form could not be read') });
  });
});

describe('R16: more passwords than the queue can hold', () => {
  test('are rejected before the database is queried, in the language of the browser', async () => {
    const browser = createBrowser(auth, { headers: { 'accept-language': 'de' } });
    const page = await browser.open('/login');
    const values = { login: 'nobody_at_all', password: 'wrong' };
    auth.statements.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => browser.submitOnly(page, page.formWith('login'), values)),
    );
    const rejected = answers.filter(({ status }) => status === 429);
    const tried = answers.filter(({ status }) => status === 422);
    expect(rejected.length + tried.length).toBe(100);
    // 64 wait, one or two are being hashed.
    expect(tried.length).toBeGreaterThanOrEqual(65);
    expect(rejected.length).toBeGreaterThan(20);
    const aboutSignIns = auth.statements.filter((text) => !text.includes('audit_repeat'));
    expect(aboutSignIns).toHaveLength(tried.length);
    for (const { headers, text } of rejected) {
      expect(headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
      expect(text).toContain('Gleich wieder da');
    }
    expect((await tryToSignIn(ada.username, ada.password)).url.pathname).toBe('/');
  });
});

describe('UI10: name and password that do not fit', () => {
  test('take as long for an unknown account as for a known one', { timeout: 240_000 }, async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    const form = page.formWith('login');
    for (let sample = 0; sample < 60; sample += 1) {
      for (const [kind, login] of [
        ['known', ada.username],
        ['unknown', `nobody_${String(sample)}`],
      ] as const) {
        const start = performance.now();
        await browser.submitOnly(page, form, { login, password: `wrong ${String(sample)}` });
        times[kind].push(performance.now() - start);
      }
    }
    const [known, unknown] = [firstDecile(times.known), firstDecile(times.unknown)];
    // Without the dummy hash, an unknown account takes a fifth of the time.
    expect(unknown / known).toBeGreaterThan(0.7);
    expect(unknown / known).toBeLessThan(1.4);
  });
});

/** What else the machine does only adds to a time, so the fast ones say what the work takes. */
function firstDecile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;
}

describe('UI1: the session', () => {
  test('gets a new id at each sign-in, and the previous id stops working', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login');
    await signIn(browser, ada, page);
    const first = browser.cookies.copy();
    await signIn(browser, ada, page);
    const [before, after] = [first.value(sessionCookie), browser.cookies.value(sessionCookie)];
    expect(after).toMatch(/^[\w-]{43,}$/);
    expect(after).not.toBe(before);
    expect(await isSignedIn(createBrowser(auth, { cookies: first }))).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('an id chosen by an attacker is not adopted', async () => {
    const cookies = createCookieJar();
    cookies.take([`${sessionCookie}=chosen-by-a-stranger; Path=/; Secure`], '/');
    const browser = createBrowser(auth, { cookies });
    await signIn(browser, ada);
    expect(browser.cookies.value(sessionCookie)).not.toBe('chosen-by-a-stranger');
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('ends after a day without a request, and not before', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    for (let visit = 0; visit < 3; visit += 1) {
      await letTimePass(23);
      expect(await isSignedIn(browser)).toBe(true);
    }
    await letTimePass(24);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ends after two weeks, however often it is used', async () => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    for (let day = 0; day < 13; day += 1) await letTimePass(23).then(() => isSignedIn(browser));
    expect(await isSignedIn(browser)).toBe(true);
    await letTimePass(23).then(() => isSignedIn(browser));
    await letTimePass(23);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

/** Moves the newest session into the past. */
async function letTimePass(hours: number): Promise<void> {
  const uid = await newestSession();
  const seconds = hours * 3600;
  await auth.db.prisma.$executeRaw`
    UPDATE session SET expires_at = expires_at - make_interval(secs => ${seconds}),
           payload = payload || jsonb_build_object('exp', (payload->>'exp')::int - ${seconds}::int,
                                                   'loginTs', (payload->>'loginTs')::int - ${seconds}::int)
     WHERE uid = ${uid}`;
}

describe('UI3: a form of another site', () => {
  const crossSite = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'https://other.linnet.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];

  test.each(['/login', '/register', '/logout'])('%s rejects it with 403', async (path) => {
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    const { html } = await browser.open('/logout');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(csrf).not.toBe('');
    const body = new URLSearchParams({ csrf, login: ada.username, password: ada.password }).toString();
    const cookie = browser.cookies.headerFor(path) ?? '';
    for (const headers of crossSite) {
      const form = { 'content-type': 'application/x-www-form-urlencoded', cookie };
      const answer = await auth.send({ method: 'POST', path, headers: { ...form, ...headers }, body });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This request came from another website');
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('a missing, invalid or foreign token gets a page with a way to continue', async () => {
    const other = await createBrowser(auth).open('/login');
    const browser = createBrowser(auth);
    const page = await browser.open('/login?return_to=%2Faccount');
    const others = Object.fromEntries(other.formWith('login').fields)['csrf'] ?? '';
    for (const csrf of ['', 'made up', others]) {
      const values = { csrf, login: ada.username, password: ada.password };
      const stale = await browser.submit(page, page.formWith('login'), values);
      expect(stale).toMatchObject({ status: 403, title: expect.stringContaining('This page has expired') });
      const again = await browser.open(stale.link('Start over'), stale);
      expect(`${again.url.pathname}${again.url.search}`).toBe('/login?return_to=%2Faccount');
    }
    const stale = await browser.submit(page, page.formWith('login'), { csrf: '' });
    const again = await browser.open(stale.link('Start over'), stale);
    expect((await signIn(browser, ada, again)).hops[0]?.to.pathname).toBe('/account');
  });
});

describe('UI9: after the sign-in', () => {
  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https://evil.example',
    'HTTPS://evil.example',
    'http://evil.example/login',
    '/%09/evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/\r\n/evil.example',
    '/x\r\nLocation: https://evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2f/evil.example',
    '//linnet.example@evil.example',
    'https://linnet.example.evil.example',
    '／／evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
  ])('%j leads nowhere', async (address) => {
    const browser = createBrowser(auth);
    const page = await browser.open(`/login?return_to=${encodeURIComponent(address)}`);
    expect(page.link('Create an account')).toBe('/register');
    const values = { login: ada.username, password: ada.password };
    const answer = await browser.submitOnly(page, page.formWith('login'), values);
    expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  test('a return_to that occurs twice leads nowhere', async () => {
    const browser = createBrowser(auth);
    const page = await browser.open('/login?return_to=/account&return_to=//evil.example');
    const values = { login: ada.username, password: ada.password };
    expect((await browser.submitOnly(page, page.formWith('login'), values)).headers.location).toBe('/');
  });
});

test('the page is in the language of the browser', async () => {
  const browser = createBrowser(auth, { headers: { 'accept-language': 'de-CH, en;q=0.5' } });
  const page = await browser.open('/login');
  expect(page.html).toContain('<html lang="de">');
  const rejected = await browser.submit(page, page.formWith('login'), { login: 'a', password: 'b' });
  expect(rejected.text).toContain('Name und Passwort passen zu keinem Konto');
});
