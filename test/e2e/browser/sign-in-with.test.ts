import { decodeJwt } from 'jose';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serveRoutes } from '../../clients/small-server.ts';
import { createClient } from '../../support/api-client.ts';
import type { Client } from '../../support/api-client.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { decide, fill, pressSubmit } from '../../support/page-steps.ts';
import { findFreePort, runLinnet, startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';

/** Sign-in with another Linnet as the provider, in Chromium, which applies `form-action` to the redirects after a form. */

const person = { login: 'grace_hopper', password: 'five violet umbrellas' };

const cleanup = new AsyncDisposableStack();
let upstream: Service;
let service: Service;
beforeAll(async () => {
  const [port, upstreamPort] = [String(await findFreePort()), String(await findFreePort())];
  const own = `http://localhost:${port}/sign-in/with/linnet`;
  // Another host, because cookies do not know ports.
  const issuer = `http://127.0.0.1:${upstreamPort}`;
  const env = { BASE_URL: issuer, PORT: upstreamPort, MEDIA_FETCH_ALLOW: `localhost:${port}`, SERVICE_NAME: 'example' };
  upstream = cleanup.use(await startService({ env }));
  const addresses = ['--redirect-uri', `${own}/callback`, '--backchannel-logout-uri', `${own}/logout`];
  const client = await createClient(upstream.env, 'upstream_owner', addresses);
  const names = ['--first-name', 'Grace', '--last-name', 'Hopper', '--username', person.login];
  const account = ['--email', 'grace@example.org', '--password', person.password, ...names];
  await runLinnet(['user', 'create', ...account], upstream.env);
  const provider = { id: 'linnet', name: 'Example', issuer, client_id: client.id, client_secret: client.secret };
  service = cleanup.use(await startService({ env: { PORT: port, SIGN_IN_PROVIDERS: JSON.stringify([provider]) } }));
});
afterAll(() => cleanup.disposeAsync());

/** From a sign-in page through the provider. `asks`: the pages that the provider shows. */
async function signInThere(
  page: Page,
  asks: readonly ('login' | 'consent' | 'refuse')[],
  who: typeof person = person,
): Promise<void> {
  await page.getByTestId('with-linnet').click();
  if (asks.includes('login')) {
    await page.waitForURL(`${upstream.baseUrl}/**`);
    await fill(page, who);
    await pressSubmit(page);
  }
  if (asks.includes('consent')) await decide(page, 'allow');
  if (asks.includes('refuse')) await decide(page, 'deny');
}

const whoIs = async (page: Page) => {
  await page.goto('/account');
  return new URL(page.url()).pathname;
};

test('the person gets an account after the sign-in there, and the sign-out there ends that session here', async () => {
  const baseUrl = service.baseUrl;
  const { page } = await openBrowser({ baseUrl });
  await page.goto('/login');
  await signInThere(page, ['login', 'consent']);
  await page.waitForURL(`${baseUrl}/login/provider`);
  expect(await page.locator('main').innerText()).toContain('You signed in with Example as grace@example.org');
  expect(await page.locator('[name=first_name]').inputValue()).toBe('Grace');
  await pressSubmit(page);
  await page.goto('/account/security');
  expect(await page.locator('main').innerText()).toContain('Example');

  const { page: other } = await openBrowser({ baseUrl });
  await other.goto('/login');
  await signInThere(other, ['login']);
  await other.waitForURL(({ origin, pathname }) => origin === baseUrl && pathname !== '/sign-in/with/linnet/callback');
  expect(await whoIs(other)).toBe('/account');

  await page.goto(`${upstream.baseUrl}/logout`);
  await page.getByTestId('sign-out').click();
  await expect.poll(async () => await whoIs(page)).toBe('/login');
  expect(await whoIs(other)).toBe('/account');
});

describe('an authorization request of an application', () => {
  const state = 'a state';
  let app: Client;
  let redirectUri = '';
  beforeAll(async () => {
    const home = new URL(`http://127.0.0.1:${String(await findFreePort())}/`);
    cleanup.use(await serveRoutes(home, { 'GET /callback': async () => ({ html: '<h1>Back</h1>' }) }));
    redirectUri = new URL('/callback', home).href;
    app = await createClient(service.env, 'app_owner', ['--redirect-uri', redirectUri]);
  });

  const address = (parameters: Readonly<Record<string, string>>) =>
    `/oauth/authorize?${new URLSearchParams({
      ...{ client_id: app.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid users' },
      ...{ state, nonce: 'a nonce', ...parameters },
    }).toString()}`;

  /** The ID token that comes for the code of the callback. */
  async function idTokenAt(page: Page): Promise<string> {
    await page.waitForURL(`${redirectUri}?*`);
    const callback = new URL(page.url()).searchParams;
    expect([callback.get('state'), callback.get('error')]).toEqual([state, null]);
    const response = await fetch(`${service.baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}` },
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code: callback.get('code') ?? '', redirect_uri: redirectUri },
      }),
    });
    return String(Reflect.get(Object(await response.json()), 'id_token'));
  }

  test('survives the provider, also a refusal there, and learns how the person signed in there', async () => {
    const joan = { login: 'joan_clarke', password: person.password };
    const names = ['--first-name', 'Joan', '--last-name', 'Clarke', '--username', joan.login];
    const account = ['--email', 'joan@example.org', '--password', joan.password, ...names];
    await runLinnet(['user', 'create', ...account], upstream.env);
    const { page } = await openBrowser({ baseUrl: service.baseUrl });
    await page.goto(address({ max_age: '3600', acr_values: 'phr', login_hint: 'joan@example.org' }));
    expect(await page.locator('[name=login]').inputValue()).toBe('joan@example.org');
    await signInThere(page, ['login', 'refuse'], joan);
    await page.waitForURL('**/sign-in/with/linnet/callback?*');
    expect(await page.locator('h1').innerText()).toBe('You did not sign in');
    await page.locator('main .actions a').click();
    expect(await page.locator('[name=login]').inputValue()).toBe('joan@example.org');
    await signInThere(page, ['consent']);
    await page.waitForURL('**/interaction/*/provider');
    await pressSubmit(page);
    await decide(page, 'allow');
    const first = decodeJwt(await idTokenAt(page));
    const acr = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport';
    expect(first).toMatchObject({ nonce: 'a nonce', amr: ['pwd'], acr, auth_time: expect.any(Number) });

    // Signed out here, signed in there: the time is that of the sign-in there.
    await page.goto(`${service.baseUrl}/logout`);
    await page.getByTestId('sign-out').click();
    await page.goto(address({}));
    await signInThere(page, []);
    expect(decodeJwt(await idTokenAt(page))).toMatchObject({ auth_time: first['auth_time'] });

    // The application wants a new sign-in: the provider asks, although the person is signed in there.
    await page.goto(address({ prompt: 'login' }));
    await signInThere(page, ['login'], joan);
    expect(decodeJwt(await idTokenAt(page))).toMatchObject({ amr: ['pwd'], acr });
  });
});
