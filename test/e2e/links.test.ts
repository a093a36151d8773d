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

test('a visitor finds no dead link, and every page for everyone', async () => {
  const { paths, dead } = await crawl({ start: new URL(inject('service').baseUrl), keyOf });
  expect(dead).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(signedOut));
});

test('a developer finds no dead link, and every page of theirs', async () => {
  const { baseUrl, env } = inject('service');
  const username = 'follower_of_links';
  const client = await createClient(env, username);
  const { body } = await requestToken(baseUrl, client);
  const call = createApiCaller(baseUrl, String(body.access_token));
  const posted = await call('POST /post/create', { message: 'To be #found_by_links' });
  expect(posted.status).toBe(200);

  const browser = createHttpBrowser([new URL(baseUrl).origin]);
  await browser.submit(await browser.open(`${baseUrl}/login`), 'login', { login: username, password });
  const { paths, dead } = await crawl({ start: new URL(baseUrl), cookie: browser.cookieHeader(), keyOf });
  expect(dead).toEqual([]);
  const application = ofApplication.map((page) => `/developer/applications/${client.id}${page}`);
  const own = [`/@${username}`, `/p/${String(posted.body.items.id)}`, '/tags/found_by_links', '/developer'];
  expect(paths).toEqual(expect.arrayContaining([...forEveryone.slice(3), ...account, ...application, ...own]));
});

test.each([
  ['/developers/nowhere', '404'],
  ['/developers/quickstart#nowhere', 'no such heading or element'],
])('a link to %s is dead', async (address, reason) => {
  const { dead } = await crawl({ start: new URL(address, inject('service').baseUrl), keyOf });
  expect(dead).toContain(`${address} on the start: ${reason}`);
});
