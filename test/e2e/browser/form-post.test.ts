import { createHash, randomBytes } from 'node:crypto';

import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { serveRoutes } from '../../clients/small-server.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { addApplication, decide, register } from '../../support/page-steps.ts';
import { findFreePort } from '../../support/service.ts';

/** `response_mode=form_post`: the browser posts the response to the application's server. */

type Parameters = Readonly<Record<string, string>>;

/** An application whose server takes the response at `/signin`, and then redirects to its home page. */
async function startReceiver(page: Page) {
  const home = new URL(`http://127.0.0.1:${String(await findFreePort())}/`);
  const redirectUri = new URL('/signin', home).href;
  const { clientId, clientSecret = '' } = await addApplication(page, { redirectUris: [redirectUri] });
  const received: Record<string, string>[] = [];
  const server = await serveRoutes(home, {
    'GET /': async () => ({ html: '<h1>Home</h1>' }),
    'GET /favicon.ico': async () => ({ html: '' }),
    'POST /signin': async ({ form }) => {
      received.push(Object.fromEntries(form));
      return { redirectTo: home };
    },
  });
  const { baseUrl } = inject('service');
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const request: Parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    response_mode: 'form_post',
    scope: 'users posts',
    state: 'a b+c/="<é',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const post = async (path: string, form: Parameters) =>
    await fetch(new URL(path, baseUrl), {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams(form),
    });
  return {
    home,
    received,
    address: (more: Parameters = {}) => `/oauth/authorize?${new URLSearchParams({ ...request, ...more }).toString()}`,
    push: async () => {
      const { request_uri: requestUri } = await (await post('/oauth/par', request)).json();
      return `/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri }).toString()}`;
    },
    exchange: async (code: string) => {
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      return (await post('/oauth/token', grant)).status;
    },
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  };
}

const sent = { state: 'a b+c/="<é' };

test('the code arrives by itself, once, also from a pushed request; going back sends nothing', async () => {
  const { page } = await openBrowser({ scripts: true });
  await register(page);
  await using app = await startReceiver(page);
  const { baseUrl } = inject('service');
  await page.goto(app.address());
  await decide(page, 'allow');
  await page.waitForURL(app.home.href);
  const [first] = app.received;
  expect(first).toEqual({ ...sent, code: expect.any(String), iss: baseUrl, scope: 'users posts' });
  expect(await app.exchange(first?.['code'] ?? '')).toBe(200);
  await page.goBack();
  await page.locator('h1').waitFor();
  expect(app.received).toHaveLength(1);

  await page.goto(await app.push());
  await page.waitForURL(app.home.href);
  expect(await app.exchange(app.received[1]?.['code'] ?? '')).toBe(200);
});

test('errors arrive by themselves', async () => {
  const { page } = await openBrowser({ scripts: true });
  await register(page);
  await using app = await startReceiver(page);
  await page.goto(app.address({ scope: 'users nonsense' }));
  await page.waitForURL(app.home.href);
  await page.goto(app.address({ prompt: 'consent' }));
  await decide(page, 'deny');
  await page.waitForURL(app.home.href);
  expect(app.received).toMatchObject([
    { ...sent, error: 'invalid_scope' },
    { ...sent, error: 'access_denied' },
  ]);
});

test('without scripts a button sends the response, and loading the page again shows that it has expired', async () => {
  const { page } = await openBrowser();
  await register(page);
  await using app = await startReceiver(page);
  await page.goto(app.address());
  await decide(page, 'allow');
  expect(await page.locator('h1').innerText()).toBe('Returning to Sample application');
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(page.url()).toBe(app.home.href);
  expect(app.received).toMatchObject([{ ...sent, code: expect.any(String) }]);

  await page.goto(app.address({ prompt: 'consent' }));
  await decide(page, 'allow');
  await page.getByRole('heading', { name: 'Returning to Sample application' }).waitFor();
  await page.reload();
  expect(await page.locator('h1').innerText()).toContain('expired');
  expect(app.received).toHaveLength(1);
});

test('while nobody is signed in, an error waits for the person', async () => {
  const developer = await openBrowser();
  await register(developer.page);
  await using app = await startReceiver(developer.page);
  const { page } = await openBrowser({ scripts: true });
  await page.goto(app.address({ scope: 'nonsense' }));
  expect(app.received).toEqual([]);
  await page.getByRole('button', { name: `Continue to ${app.home.host}` }).click();
  await page.waitForURL(app.home.href);
  expect(app.received).toMatchObject([{ ...sent, error: 'invalid_scope' }]);
});
