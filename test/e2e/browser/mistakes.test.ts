import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import type { OpenBrowser } from '../../support/open-browser.ts';
import { addApplication, decide, fill, pressSubmit, register, signIn, signOut } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';

/** Invalid requests show an error page of the service, in the reader's language, with a link to continue. */

async function expectErrorPage({ page }: OpenBrowser, address: string, status: number): Promise<void> {
  const answer = await page.goto(address);
  expect(answer?.status()).toBe(status);
  expect(answer?.request().redirectedFrom()).toBeNull();
  expect(new URL(page.url()).origin).toBe(inject('service').baseUrl);
  expect(await page.locator('h1').count()).toBe(1);
}

/** Submits a form from a page of another site. */
async function sendFromElsewhere(
  page: Page,
  action: string,
  values: Readonly<Record<string, string>>,
): Promise<number> {
  const fields = Object.entries(values).map(([name, value]) => `<input name="${name}" value="${value}">`);
  const form = `<form method="post" action="${action}">${fields.join('')}<button>Send</button></form>`;
  await page.evaluate((html) => (document.body.innerHTML = html), form);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.getByRole('button', { name: 'Send' }).click(),
  ]);
  return answer.status();
}

describe('an authorization request', () => {
  test('with an unregistered redirect URI is not redirected', async () => {
    const browser = await openBrowser();
    await register(browser.page);
    const registered = 'https://weather.example/callback';
    const { clientId } = await addApplication(browser.page, { redirectUris: [registered] });
    const request = { response_type: 'code', client_id: clientId, scope: 'users', state: 's' };
    for (const redirectUri of ['https://evil.example/callback', `${registered}/`, 'https://weather.example/']) {
      const query = new URLSearchParams({ ...request, redirect_uri: redirectUri });
      await expectErrorPage(browser, `/oauth/authorize?${query.toString()}`, 400);
    }
  });

  test('of an unknown application is not redirected', async () => {
    const browser = await openBrowser();
    const query = 'response_type=code&client_id=nobody&redirect_uri=https://evil.example/callback';
    await expectErrorPage(browser, `/oauth/authorize?${query}`, 400);
  });

  test('that is finished cannot be decided again, but can be restarted', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await using app = await startSampleApplication(page);
    await page.goto(app.signInUrl());
    const interaction = page.url();
    await decide(page, 'allow');
    const again = await page.goto(interaction);
    expect(again?.status()).toBe(400);
    expect(await page.locator('[name=decision]').count()).toBe(0);
    await page.locator('main a').first().click();
    expect(await page.locator('#account').innerText()).toBe(person.username);
  });

  test('that another browser started is not found', async () => {
    const { page } = await openBrowser();
    await register(page);
    await using app = await startSampleApplication(page);
    await page.goto(app.signInUrl());
    const other = await openBrowser();
    await register(other.page);
    const answer = await other.page.goto(page.url());
    expect(answer?.status()).toBe(400);
    expect(await other.page.locator('[name=decision]').count()).toBe(0);
  });
});

describe('a form', () => {
  test('of a browser that lost its cookies is rejected, with a link to continue', async () => {
    const { page, context } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    await page.goto('/login');
    await context.clearCookies();
    await fill(page, { login: person.username, password: person.password });
    const [answer] = await Promise.all([page.waitForResponse('**/login'), pressSubmit(page)]);
    expect(answer.status()).toBe(403);
    await page.locator('main a').first().click();
    await signIn(page, person);
    await page.goto('/account');
    expect(new URL(page.url()).pathname).toBe('/account');
  });

  test('UI3 from another site has no effect', async () => {
    const { page } = await openBrowser();
    const somebodyElse = await register(page);
    await signOut(page);
    const person = await register(page);
    await using app = await startSampleApplication(page);
    const { baseUrl } = inject('service');
    const values = { login: somebodyElse.username, password: somebodyElse.password, action: 'end-all' };
    const statuses: number[] = [];
    for (const path of ['/login', '/logout', '/account/sessions', '/developer/applications/new']) {
      await page.goto(app.home.href);
      statuses.push(await sendFromElsewhere(page, `${baseUrl}${path}`, values));
    }
    // Without the session cookie, which is not sent across sites, the areas redirect to the sign-in page.
    expect(statuses).toEqual([403, 403, 303, 303]);
    await page.goto('/account');
    expect(await page.locator('main').innerText()).toContain(`@${person.username}`);
  });
});

describe('an address', () => {
  test.each([
    ['en-GB', 'en'],
    ['de-DE', 'de'],
  ] as const)('that does not exist is 404 in the language of %s', async (locale, language) => {
    const browser = await openBrowser({ locale });
    await expectErrorPage(browser, '/nothing/here', 404);
    expect(await browser.page.locator('html').getAttribute('lang')).toBe(language);
  });

  test('of the developer area is opened after the sign-in', async () => {
    const { page } = await openBrowser();
    const person = await register(page);
    await signOut(page);
    await page.goto('/developer/applications/new');
    expect(new URL(page.url()).pathname).toBe('/login');
    await signIn(page, person);
    expect(new URL(page.url()).pathname).toBe('/developer/applications/new');
  });
});
