import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BrowserSession, Tokens } from '@linnet/sdk';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { addApplication, decide, register } from '../../support/page-steps.ts';
import { repositoryRoot } from '../../support/service.ts';
import { serveSite } from '../../support/static-site.ts';

/** `createBrowserSession` of the built file, on a page without a bundler: redirects, the callback, tabs and sign-out. */

declare global {
  interface Window {
    session: BrowserSession;
    /** What `handleCallback` returned for two calls at once, as a framework makes them, or its error's code. */
    handled: Promise<readonly unknown[]>;
    changes: boolean[];
  }
}

const library = readFileSync(join(repositoryRoot, 'packages/sdk/dist/browser.js'), 'utf8');
const tokensKey = 'linnet-tokens';

const script = (clientId: string, storage: string | undefined) => `
  import { createBrowserSession, webStore } from '/browser.js';
  const session = createBrowserSession({
    issuer: '${inject('service').baseUrl}',
    clientId: '${clientId}',
    redirectUri: location.origin + '/callback?from=linnet',
    scope: 'openid users posts',
    ${storage === undefined ? '' : `store: webStore(${storage}),`}
  });
  Object.assign(window, { session, changes: [] });
  session.onChange((isSignedIn) => window.changes.push(isSignedIn));
  const handle = () => session.handleCallback().catch(({ name, code }) => ({ name, code }));
  window.handled = Promise.all([handle(), handle()]);
`;

/** A signed-in developer with an application whose site is open at its home page. */
async function openSite({ storage }: { readonly storage?: string } = {}) {
  const opened = await openBrowser({ scripts: true });
  const { page } = opened;
  const person = await register(page);
  let source = '';
  const site = await serveSite({
    '/browser.js': library,
    get '/page.js'() {
      return source;
    },
  });
  const redirectUris = [`${site.home}callback?from=linnet`];
  const { clientId } = await addApplication(page, { type: 'public', redirectUris });
  source = script(clientId, storage);
  await page.goto(site.home);
  return { ...opened, person, clientId, home: site.home, [Symbol.asyncDispose]: site[Symbol.asyncDispose] };
}

/** Calls `signIn` and answers the consent page. */
async function signIn(page: Page, request: Parameters<BrowserSession['signIn']>[0], decision: 'allow' | 'deny') {
  await page.evaluate((given) => void window.session.signIn(given), request);
  await decide(page, decision);
  await page.waitForURL(/\/callback\?from=linnet$/);
  return await page.evaluate(async () => await window.handled);
}

const username = async (page: Page) =>
  await page.evaluate(async () => (await window.session.linnet.users.show()).username);

async function storedTokens(page: Page, storage = 'sessionStorage'): Promise<Tokens> {
  return JSON.parse(await page.evaluate(`${storage}.getItem('${tokensKey}')`));
}

async function expire(page: Page, storage = 'sessionStorage'): Promise<void> {
  const expired = JSON.stringify({ ...(await storedTokens(page, storage)), expiresAt: 0 });
  await page.evaluate(`${storage}.setItem('${tokensKey}', ${JSON.stringify(expired)})`);
}

/** Opens another tab as a duplicate: it starts with a copy of the sessionStorage. */
async function duplicate(context: BrowserContext, page: Page): Promise<Page> {
  const [other] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => void window.open('/'))]);
  await other.waitForFunction(() => window.session !== undefined);
  return other;
}

const refreshes = (requests: readonly Request[]) =>
  requests.filter((request) => request.postData()?.includes('grant_type=refresh_token') === true).length;

test('signs in, returns to where the person was, refreshes, and signs out', async () => {
  await using opened = await openSite({ storage: 'sessionStorage' });
  const { page, person, home } = opened;
  expect(await page.evaluate(async () => await window.handled)).toEqual([undefined, undefined]);
  await page.goto(`${home}people?q=a#top`);
  const done = { returnTo: '/people?q=a#top', scope: 'openid users posts' };
  // The second call gets the same result, and the code is exchanged once.
  expect(await signIn(page, {}, 'allow')).toEqual([done, done]);
  expect(await page.evaluate(() => window.changes)).toEqual([true]);
  expect(await username(page)).toBe(person.username);

  const { refreshToken, accessToken } = await storedTokens(page);
  await expire(page);
  await page.reload();
  expect(await username(page)).toBe(person.username);
  expect((await storedTokens(page)).refreshToken).not.toBe(refreshToken);

  await page.evaluate(async () => await window.session.signOut());
  expect(await page.evaluate(async () => await window.session.isSignedIn())).toBe(false);
  expect(await page.evaluate(() => window.changes)).toEqual([false]);
  const call = `${inject('service').baseUrl}/api/v2.0/users/show`;
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  await expect.poll(async () => (await fetch(call, { headers })).status).toBe(401);
});

test('rejects strange responses, and a person who declined is asked again and returns to where they were', async () => {
  await using opened = await openSite();
  const { page, home } = opened;
  await page.goto(`${home}callback?from=linnet&code=stolen&state=other`);
  const refused = { name: 'AuthorizationError', code: 'invalid_answer' };
  expect(await page.evaluate(async () => await window.handled)).toEqual([refused, refused]);
  expect(page.url()).toBe(`${home}callback?from=linnet`);
  const elsewhere = async () =>
    await page.evaluate(async () => await window.session.signIn({ returnTo: 'https://evil.example/' }));
  await expect(elsewhere()).rejects.toThrow('returnTo must be an address of this site');

  const declined = { name: 'AuthorizationError', code: 'access_denied' };
  expect(await signIn(page, { returnTo: '/compose' }, 'deny')).toEqual([declined, declined]);
  expect(await signIn(page, {}, 'allow')).toMatchObject([{ returnTo: '/compose' }, { returnTo: '/compose' }]);

  await page.evaluate(() => void window.session.signOut({ endSession: true }));
  await page.waitForURL(/\/oauth\/logout\?id_token_hint=/);
  await page.getByRole('button').first().waitFor();
});

test.each(['sessionStorage', 'localStorage'])(
  'tabs with the same tokens in the %s refresh together',
  async (storage) => {
    await using opened = await openSite({ storage });
    const { context, page, person, requests } = opened;
    await signIn(page, {}, 'allow');
    const other = await duplicate(context, page);
    for (const tab of [page, other]) await expire(tab, storage);
    expect(await Promise.all([username(page), username(other), username(page), username(other)])).toEqual(
      Array.from({ length: 4 }, () => person.username),
    );
    const { refreshToken } = await storedTokens(page, storage);
    await expect.poll(async () => (await storedTokens(other, storage)).refreshToken).toBe(refreshToken);
    const before = refreshes(requests);
    await expire(other, storage);
    await username(other);
    expect(refreshes(requests)).toBe(before + 1);
    // The first tab learns of tokens that it did not request itself.
    const renewed = await storedTokens(other, storage);
    await expect.poll(async () => await storedTokens(page, storage)).toEqual(renewed);
    await page.evaluate(async () => await window.session.signOut());
    await other.waitForFunction(async () => !(await window.session.isSignedIn()));
    await other.waitForFunction(() => window.changes.at(-1) === false);
  },
);

/** What a script of the page can do with the default store. */
const inStore = async (page: Page, clientId: string, work: string) =>
  await page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('linnet-tokens-${clientId}');
    opening.onsuccess = () => {
      const kept = opening.result.transaction('kept', 'readwrite').objectStore('kept');
      ${work}
    };
  })`);

test('D209 copied tokens are refused in another browser, and the person whose they are notices nothing', async () => {
  await using opened = await openSite();
  const { page, person, home, clientId } = opened;
  await signIn(page, {}, 'allow');
  const extractable = `kept.get('key').onsuccess = ({ target }) => resolve(target.result.privateKey.extractable);`;
  expect(await inStore(page, clientId, extractable)).toBe(false);
  const read = `kept.get('tokens').onsuccess = ({ target }) => resolve(JSON.stringify(target.result));`;
  const copied = String(await inStore(page, clientId, read));
  const { accessToken }: Tokens = JSON.parse(copied);
  const call = `${inject('service').baseUrl}/api/v2.0/users/show`;
  for (const scheme of ['Bearer', 'DPoP']) {
    const headers = { authorization: `${scheme} ${accessToken}`, accept: 'application/json' };
    expect((await fetch(call, { headers })).status).toBe(401);
  }

  const thief = await openBrowser({ scripts: true });
  await thief.page.goto(home);
  await thief.page.evaluate(async () => await window.session.isSignedIn());
  await inStore(thief.page, clientId, `kept.put(${copied}, 'tokens').onsuccess = () => resolve();`);
  await expect(username(thief.page)).rejects.toThrow('SignInRequired');
  expect(thief.requests.filter((request) => request.url() === call)).toHaveLength(1);
  expect(refreshes(thief.requests)).toBe(1);

  expect(await username(page)).toBe(person.username);
  const expired = `kept.put({ ...${copied}, expiresAt: 0 }, 'tokens').onsuccess = () => resolve();`;
  await inStore(page, clientId, expired);
  expect(await username(page)).toBe(person.username);
  expect(await inStore(page, clientId, read)).not.toBe(copied);
});
