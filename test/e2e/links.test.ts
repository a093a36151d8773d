import { expect, inject, test } from 'vitest';

import { createApiCaller, createClient, password, requestToken } from '../support/api-client.ts';
import { crawl } from '../support/crawler.ts';
import { codeAt } from '../support/authenticator-code.ts';
import { createHttpBrowser } from '../support/http-browser.ts';
import type { HttpBrowser, HttpPage } from '../support/http-browser.ts';
import { operate } from '../support/operator.ts';

/**
 * Follows every link from the front page, as a visitor, a person, a developer with an application and a post, and an operator. No link is dead,
 * and nobody has to type the address of a page.
 */

const guides = ['quickstart', 'sign-in', 'backend', 'devices', 'scopes', 'tokens', 'errors', 'going-live'];
const forEveryone = [
  ...['/', '/login', '/register', '/developers', '/problems', '/problems/rate-limited'],
  ...guides.map((guide) => `/developers/${guide}`),
  ...['/api/v2.0/docs', '/api/v2.0/docs/postman.json', '/api/v2.0/docs/generators.json', '/api/v2.0/openapi.json'],
];
const signedOut = [...forEveryone, '/password/forgot'];
const account = [
  ...[
    'applications',
    'posts',
    'followers',
    'hidden',
    'notifications',
    'activity',
    'security',
    'security/authenticator',
    'profile',
    'sessions',
    'password',
    'email',
  ],
  ...['username', 'export', 'delete'],
].map((page) => `/account/${page}`);
const ofApplication = [
  '',
  '/credentials',
  '/danger',
  '/settings',
  '/appearance',
  '/playground',
  '/webhooks',
  '/activity',
  '/usage',
  '/history',
];

/** One language is enough, and one page to sign in on, which would otherwise lead back to each page. */
function keyOf({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  query.delete('lang');
  return pathname === '/login' ? pathname : `${pathname}?${query.toString()}`;
}

const referencePath = '/api/v2.0/docs';

/** With each program in seven languages; compressed, they are a sixth of that. */
const polyglotPaths = new Set(['/developers/quickstart', '/developers/sign-in']);

function maxBytes({ pathname }: URL): number {
  if (pathname === referencePath) return 760_000;
  return polyglotPaths.has(pathname) ? 85_000 : 50_000;
}

/** The latest posts of other tests, which delete some of them. */
const passing = /^\/(?:@|p\/|tags\/|media\/)/;

test('a visitor finds no dead link, no large page, and every page for everyone', async () => {
  const { paths, dead, tooLarge } = await crawl({ start: new URL(inject('service').baseUrl), keyOf, maxBytes });
  const lasting = dead.filter((one) => !passing.test(one));
  expect({ lasting, tooLarge }).toEqual({ lasting: [], tooLarge: [] });
  expect(paths).toEqual(expect.arrayContaining(signedOut));
});

test('a developer finds no dead link, no large page, and every page of theirs', async () => {
  const { baseUrl, env } = inject('service');
  const username = 'follower_of_links';
  const client = await createClient(env, username);
  const { body } = await requestToken(baseUrl, client);
  const call = createApiCaller(baseUrl, String(body.access_token));
  const posted = await call('POST /post/create', { message: 'To be #found_by_links' });
  expect(posted.status).toBe(200);

  const { browser } = await signIn(username);
  const start = new URL(baseUrl);
  const { paths, dead, tooLarge } = await crawl({ start, cookie: browser.cookieHeader(), keyOf, maxBytes });
  expect({ dead, tooLarge }).toEqual({ dead: [], tooLarge: [] });
  const application = ofApplication.map((page) => `/developer/applications/${client.id}${page}`);
  const own = [`/@${username}`, `/p/${String(posted.body.items.id)}`, '/tags/found_by_links', '/developer'];
  expect(paths).toEqual(expect.arrayContaining([...forEveryone.slice(3), ...account, ...application, ...own]));
});

async function signIn(username: string): Promise<{ readonly browser: HttpBrowser; readonly page: HttpPage }> {
  const { baseUrl } = inject('service');
  const browser = createHttpBrowser([new URL(baseUrl).origin]);
  const form = await browser.open(`${baseUrl}/login`);
  return { browser, page: await browser.submit(form, 'login', { login: username, password }) };
}

/** Pages that visitors and developers have followed are one page here. */
const known = /^\/(?:developers?|problems|api|p|tags|@.*|media|assets|logos)(?:\/|$)/;

test('a person without an application finds no dead link and no large page', async () => {
  const { baseUrl, env } = inject('service');
  const username = 'follower_as_a_person';
  const names = ['--first-name', 'Paul', '--last-name', 'Person'];
  await operate(
    ['user', 'create', '--email', `${username}@example.org`, '--username', username, '--password', password, ...names],
    env,
  );
  const { browser } = await signIn(username);
  const { paths, dead, tooLarge } = await crawl({
    start: new URL(baseUrl),
    cookie: browser.cookieHeader(),
    keyOf: (url) => (known.test(url.pathname) && url.pathname !== '/developer' ? 'known' : keyOf(url)),
    maxBytes,
  });
  expect({ dead: dead.filter((one) => !known.test(one)), tooLarge }).toEqual({ dead: [], tooLarge: [] });
  expect(paths).toEqual(expect.arrayContaining(['/', '/developer', ...account]));
});

/** One person, application, report and search are enough. */
function keyOfOperator(url: URL): string {
  if (!url.pathname.startsWith('/admin')) return 'known';
  return url.pathname.replace(/^(\/admin\/(?:people|applications|reports))\/.*/, '$1/one');
}

test('an operator finds no dead link and no large page', async () => {
  const { baseUrl, env } = inject('service');
  const username = 'follower_as_operator';
  await createClient(env, username);
  const first = await signIn(username);
  const setup = await first.browser.open(`${baseUrl}/account/security/authenticator`);
  const [, key = ''] = /data-testid="setup-key"[^>]*>([^<]+)</.exec(setup.html) ?? [];
  const { html: done } = await first.browser.submit(setup, 'code', { code: codeAt(key, 0) });
  expect(done).toContain('data-testid="recovery-codes"');
  await operate(['user', 'grant-operator', username], env);
  const { browser, page } = await signIn(username);
  const home = await browser.submit(page, 'code', { code: codeAt(key, 30) });
  const { paths, dead, tooLarge } = await crawl({
    start: new URL('/admin', home.url),
    cookie: browser.cookieHeader(),
    keyOf: keyOfOperator,
    maxBytes,
  });
  expect({ dead: dead.filter((one) => one.startsWith('/admin')), tooLarge }).toEqual({ dead: [], tooLarge: [] });
  const one = [/^\/admin\/people\/\d+$/, /^\/admin\/applications\/[\w-]+$/].map((path) => expect.stringMatching(path));
  expect(paths).toEqual(
    expect.arrayContaining([
      '/admin',
      '/admin/people',
      '/admin/applications',
      '/admin/reports',
      '/admin/audit',
      ...one,
    ]),
  );
});

test('a page above its limit is too large', async () => {
  const { tooLarge } = await crawl({
    start: new URL('/developers/nowhere', inject('service').baseUrl),
    keyOf: ({ pathname }) => (pathname === '/developers/nowhere' ? pathname : 'all others'),
    maxBytes: () => 100,
  });
  expect(tooLarge[0]).toMatch(/^\/developers.*: \d+ bytes$/);
});

test.each([
  ['/developers/nowhere', '404'],
  ['/developers/quickstart#nowhere', 'no such heading or element'],
])('a link to %s is dead', async (address, reason) => {
  const { dead } = await crawl({ start: new URL(address, inject('service').baseUrl), keyOf });
  expect(dead).toContain(`${address} on the start: ${reason}`);
});
