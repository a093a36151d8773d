import { expect, inject, test } from 'vitest';

import { createApiCaller, createClient, password, requestToken } from '../support/api-client.ts';
import { crawl } from '../support/crawler.ts';
import { createHttpBrowser } from '../support/http-browser.ts';

/**
 * Follows every link from the front page, as a visitor and as a developer with an application and a post. No link is dead,
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

function maxBytes({ pathname }: URL): number {
  return pathname === referencePath ? 700_000 : 50_000;
}

test('a visitor finds no dead link, no large page, and every page for everyone', async () => {
  const { paths, dead, tooLarge } = await crawl({ start: new URL(inject('service').baseUrl), keyOf, maxBytes });
  expect({ dead, tooLarge }).toEqual({ dead: [], tooLarge: [] });
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

  const browser = createHttpBrowser([new URL(baseUrl).origin]);
  await browser.submit(await browser.open(`${baseUrl}/login`), 'login', { login: username, password });
  const start = new URL(baseUrl);
  const { paths, dead, tooLarge } = await crawl({ start, cookie: browser.cookieHeader(), keyOf, maxBytes });
  expect({ dead, tooLarge }).toEqual({ dead: [], tooLarge: [] });
  const application = ofApplication.map((page) => `/developer/applications/${client.id}${page}`);
  const own = [`/@${username}`, `/p/${String(posted.body.items.id)}`, '/tags/found_by_links', '/developer'];
  expect(paths).toEqual(expect.arrayContaining([...forEveryone.slice(3), ...account, ...application, ...own]));
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
