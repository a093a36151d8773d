import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import type { BrowserOptions, OpenBrowser } from '../../support/open-browser.ts';
import { decide, signIn } from '../../support/page-steps.ts';
import { createApiCaller, createClient, getJson, password, requestToken } from '../../support/api-client.ts';

/** The API reference page. `openBrowser` fails tests with faults. `SCREENSHOTS=<folder>` saves screenshots. */

const pagePath = '/api/v2.0/docs';
/** Scalar's script has 4.4 MB. */
const deadline = { timeout: 120_000 };

let baseUrl: string;
let token: string;

beforeAll(async () => {
  ({ baseUrl } = inject('service'));
  const client = await createClient(inject('service').env, 'reads_reference');
  token = (await requestToken(baseUrl, client)).body.access_token;
});

/** The document that Scalar fills. */
const inside = (page: Page): FrameLocator => page.frameLocator('#reference');

async function openReference(options: BrowserOptions = {}): Promise<OpenBrowser> {
  const browser = await openBrowser({ scripts: true, width: 1280, ...options });
  await browser.page.goto(pagePath, { ...deadline, waitUntil: 'commit' });
  await inside(browser.page).getByPlaceholder('Token').first().waitFor(deadline);
  return browser;
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `api-reference-${name}.png`) });
}

/** Opens the request form of an endpoint. */
async function openEndpoint(
  page: Page,
  endpoint: { readonly tag: string; readonly method: string; readonly path: string },
) {
  const { tag, method, path } = endpoint;
  await page.goto(`${pagePath}#tag/${tag}/${method}${path}`, deadline);
  await inside(page)
    .getByRole('button', { name: new RegExp(`Test Request.*${method} ${path}\\)`, 'i') })
    .click(deadline);
  return inside(page).getByRole('dialog');
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('shows the groups of endpoints, and loads everything from our origin', async () => {
    const { page, requests } = await openReference({ colorScheme });
    const { body: document } = await getJson(`${baseUrl}/api/v2.0/openapi.json`);
    for (const { name } of document.tags) {
      await inside(page)
        .getByRole('button', { name: new RegExp(`Group - ${name}$`) })
        .waitFor(deadline);
    }
    expect(await page.title()).toContain('API reference');
    expect(await page.getByRole('link', { name: 'My applications' }).getAttribute('href')).toBe('/developer');
    expect(new Set(requests.map((request) => new URL(request.url()).origin))).toEqual(new Set([baseUrl]));
    expect(requests.length).toBeGreaterThan(4);
    const background = await inside(page)
      .locator('body')
      .evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(background === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
    await takeScreenshot(page, colorScheme);
  });
});

test('sends a request with a token, and shows the response', async () => {
  const { page, requests } = await openReference();
  await inside(page).getByPlaceholder('Token').first().fill(token);
  const dialog = await openEndpoint(page, { tag: 'accounts', method: 'GET', path: '/users/is' });
  const responded = page.waitForResponse((response) => response.url().includes('/users/is'), deadline);
  await dialog.getByRole('button', { name: 'Send', exact: false }).first().click();
  const response = await responded;
  expect([response.status(), await response.json()]).toEqual([200, { response: { user: 1 }, exists: false }]);
  await dialog.getByText('200 OK').waitFor(deadline);
  await takeScreenshot(page, 'tried');
  const sent = requests.filter((request) => request.url().startsWith(`${baseUrl}/api/v2.0/users/is`));
  expect(sent.map((request) => request.headers()['authorization'])).toEqual([`Bearer ${token}`]);
});

test('gets a token with the consent of a person', async () => {
  const callback = ['--redirect-uri', `${baseUrl}${pagePath}`];
  const { id, secret } = await createClient(inject('service').env, 'lends_reference', callback);
  const { page, context } = await openReference();
  await inside(page).getByRole('button', { name: 'Configure oauth' }).first().click();
  // Authorization URL, token URL, redirect URL, client_id.
  await inside(page).getByRole('dialog').locator('[contenteditable=true]').nth(3).click();
  await page.keyboard.type(id);
  await inside(page).getByPlaceholder('XYZ123').fill(secret);
  await inside(page).getByRole('button', { name: 'Select All' }).click();
  const opened = context.waitForEvent('page', deadline);
  await inside(page).getByRole('button', { name: 'Authorize', exact: true }).click();
  const popup = await opened;
  await popup.waitForURL(/[/]interaction[/]/, deadline);
  await signIn(popup, { username: 'lends_reference', password });
  await decide(popup, 'allow');
  const field = inside(page).getByPlaceholder('Token').first();
  await expect.poll(async () => await field.inputValue(), deadline).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await takeScreenshot(page, 'consent');
  const call = createApiCaller(baseUrl, await field.inputValue());
  expect((await call('GET /users/show')).body.username).toBe('lends_reference');
});

test('shows the problem of a request without a token', async () => {
  const { page } = await openReference();
  const dialog = await openEndpoint(page, { tag: 'accounts', method: 'GET', path: '/users/is' });
  await dialog.getByRole('button', { name: 'Send', exact: false }).first().click();
  await dialog.getByText('401 Unauthorized').waitFor(deadline);
  expect(await dialog.getByText('token-required').count()).toBeGreaterThan(0);
});

test('links to the document without scripts', async () => {
  const { page } = await openBrowser();
  await page.goto(pagePath);
  await page.locator('noscript').getByRole('link').click();
  expect(new URL(page.url()).pathname).toBe('/api/v2.0/openapi.json');
});
