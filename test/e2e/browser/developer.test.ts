import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { createBot } from '../../clients/bot.ts';
import { openBrowser } from '../../support/open-browser.ts';
import {
  createApplication,
  fill,
  pressSubmit,
  register,
  retireFirstSecret,
  signIn,
  unfoldSettings,
} from '../../support/page-steps.ts';
import { eventually } from '../../support/service.ts';
import { createApiCaller, requestToken } from '../../support/api-client.ts';

/** The developer area, from the list of applications to a working bot. */

async function isShown(page: Page, text: string): Promise<boolean> {
  return (await page.locator('main').innerText()).includes(text);
}

test('the home page leads to “My applications” and “Create application”, and a bot works with the credentials shown there', async () => {
  const { page } = await openBrowser();
  const person = await register(page);
  await page.goto('/');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Welcome, Ada Lovelace');
  await page.getByRole('main').getByRole('link', { name: 'My applications' }).click();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('My applications');
  await page.getByRole('link', { name: 'Create application' }).click();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Create application');
  await fill(page, { name: 'Weather bot' });
  await page.getByRole('button', { name: 'Create application' }).click();
  const clientId = await page.getByTestId('client-id').innerText();
  const clientSecret = await page.getByTestId('client-secret').innerText();
  const { baseUrl: issuer } = inject('service');
  const bot = createBot({ issuer, clientId, clientSecret });
  const link = new URL(await bot.post('Sunshine'));
  const { body: token } = await requestToken(issuer, { id: clientId, secret: clientSecret });
  const { body: shown } = await createApiCaller(issuer, token.access_token)('GET /users/show');
  expect([shown.username, `/p/${String(shown.post.id)}`]).toEqual([person.username, link.pathname]);
});

test('a button copies the secret; without scripts there is none', async () => {
  const { page } = await openBrowser({ scripts: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = await register(page);
  const { clientId, clientSecret } = await createApplication(page);
  const secret = page.locator('.with-copy', { has: page.getByTestId('client-secret') });
  await secret.getByRole('button', { name: 'Copy' }).click();
  await secret.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(clientSecret);
  const plain = await openBrowser();
  await signIn(plain.page, person);
  await plain.page.goto(`/developer/applications/${clientId}`);
  expect(await plain.page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
});

test('the examples of a guide have a button, in the language that is shown', async () => {
  const { page } = await openBrowser({ scripts: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/developers/quickstart');
  const example = page.locator('.examples').first();
  for (const [language, start] of [
    ['curl', 'curl '],
    ['TypeScript', '// first-post.mts'],
  ] as const) {
    await example.getByRole('radio', { name: language }).check();
    await example.getByRole('button', { name: 'Copy' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.startsWith(start)).toBe(true);
    expect(copied).not.toContain('Copy');
  }
});

test('a link copies the guide as Markdown; without scripts it opens it', async () => {
  const { page } = await openBrowser({ scripts: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/developers/quickstart');
  await page.getByRole('link', { name: 'Copy as Markdown' }).click();
  await page.getByRole('link', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^# Quickstart\n/);
  const plain = await openBrowser();
  await plain.page.goto('/developers/quickstart');
  await plain.page.getByRole('link', { name: 'Copy as Markdown' }).click();
  expect(await plain.page.locator('body').textContent()).toBe(copied);
});

test('reloading the page with the secret creates nothing, and hides the secret', async () => {
  const { page } = await openBrowser();
  await register(page);
  const { clientSecret = '' } = await createApplication(page, { name: 'Weather bot' });
  await page.reload();
  expect(await page.content()).not.toContain(clientSecret);
  await page.goto('/developer');
  expect(await page.getByRole('link', { name: 'Weather bot' }).count()).toBe(1);
});

test('a rejected redirect URI has a reason, and the form keeps its values', async () => {
  const { page } = await openBrowser();
  await register(page);
  await page.goto('/developer/applications/new');
  await fill(page, { name: 'Weather', redirect_uris: 'http://weather.example/callback' });
  await page.locator('[name=type][value=public]').check();
  await unfoldSettings(page);
  await page.locator('[name=scope][value=posts]').uncheck();
  await pressSubmit(page);
  const field = page.locator('[name=redirect_uris]');
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('http://weather.example/callback');
  expect(await page.locator('[name=name]').inputValue()).toBe('Weather');
  expect(await page.locator('[name=type][value=public]').isChecked()).toBe(true);
  expect(await page.locator('[name=scope][value=posts]').isChecked()).toBe(false);
  expect(await isShown(page, 'https')).toBe(true);
});

test('a secret is replaced without interruption', async () => {
  const { page } = await openBrowser();
  await register(page);
  const { clientId, clientSecret = '' } = await createApplication(page);
  const { baseUrl: issuer } = inject('service');
  await page.goto(`/developer/applications/${clientId}`);
  await page.getByTestId('add-secret').click();
  const second = await page.getByTestId('client-secret').innerText();
  for (const secret of [clientSecret, second]) {
    const bot = createBot({ issuer, clientId, clientSecret: secret });
    expect(await bot.post('Still here')).toContain('/p/');
  }
  await page.goto(`/developer/applications/${clientId}`);
  await retireFirstSecret(page);
  const isRejected = async () => (await requestToken(issuer, { id: clientId, secret: clientSecret })).status === 401;
  await eventually('the retired secret is rejected', isRejected);
  const fresh = createBot({ issuer, clientId, clientSecret: second });
  expect(await fresh.post('Here again')).toContain('/p/');
});

test('an application is edited, and deleted once its name is typed', async () => {
  const { page } = await openBrowser();
  await register(page);
  const { clientId } = await createApplication(page, { name: 'Weather' });
  await page.goto(`/developer/applications/${clientId}`);
  await page.getByRole('link', { name: 'Permissions and redirect URIs' }).click();
  await fill(page, { name: 'Better weather' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Better weather');
  await page.getByRole('link', { name: 'Danger zone' }).click();
  await fill(page, { confirm: 'Weather' });
  await page.getByTestId('delete-application').click();
  expect(await page.locator('[name=confirm]').getAttribute('aria-invalid')).toBe('true');
  await fill(page, { confirm: 'Better weather' });
  await page.getByTestId('delete-application').click();
  expect(await isShown(page, 'Better weather')).toBe(false);
  const gone = await page.goto(`/developer/applications/${clientId}`);
  expect(gone?.status()).toBe(404);
});

test('other people’s applications are not found', async () => {
  const owner = await openBrowser();
  await register(owner.page);
  const { clientId } = await createApplication(owner.page, { name: 'Weather' });
  const { page } = await openBrowser();
  await register(page);
  const response = await page.goto(`/developer/applications/${clientId}`);
  expect(response?.status()).toBe(404);
  expect(await isShown(page, 'Weather')).toBe(false);
});

test('UI8 a hostile name is shown as text on every page', async () => {
  const { page } = await openBrowser({ scripts: true });
  await register(page);
  const name = '"><script>alert(1)</script><img src=x>';
  const { clientId } = await createApplication(page, { name, redirectUris: ['https://weather.example/back'] });
  const consent = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: 'https://weather.example/back',
    scope: 'users',
  });
  for (const path of ['/developer', `/developer/applications/${clientId}`, `/oauth/authorize?${consent.toString()}`]) {
    await page.goto(path);
    expect(await isShown(page, name)).toBe(true);
    expect(await page.locator('script:not([src*="/assets/copy.js"]), main img').count()).toBe(0);
  }
});
