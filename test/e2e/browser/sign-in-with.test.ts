import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createClient } from '../../support/api-client.ts';
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

async function signInThere(page: Page): Promise<void> {
  await page.getByTestId('with-linnet').click();
  await page.waitForURL(`${upstream.baseUrl}/**`);
  if (await page.locator('[name=login]').isVisible()) {
    await fill(page, person);
    await pressSubmit(page);
  }
  await decide(page, 'allow');
}

test('the person gets an account after the sign-in there, and the sign-out there ends the session here', async () => {
  const baseUrl = service.baseUrl;
  const { page } = await openBrowser({ baseUrl });
  await page.goto('/login');
  await signInThere(page);
  await page.waitForURL(`${baseUrl}/login/provider`);
  expect(await page.locator('main').innerText()).toContain('You signed in with Example as grace@example.org');
  expect(await page.locator('[name=first_name]').inputValue()).toBe('Grace');
  await pressSubmit(page);
  await page.goto('/account/security');
  expect(await page.locator('main').innerText()).toContain('Example');

  await page.goto(`${upstream.baseUrl}/logout`);
  await page.getByTestId('sign-out').click();
  await expect
    .poll(async () => {
      await page.goto('/account');
      return new URL(page.url()).pathname;
    })
    .toBe('/login');
});
