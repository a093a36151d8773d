import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { createApiCaller, createClient, password, requestToken } from '../../support/api-client.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { inspectorScript } from '../../support/page-inspector.ts';
import { decide, signIn } from '../../support/page-steps.ts';
import { measureOverflow } from '../../support/page-measurements.ts';

/** The API reference page. `openBrowser` fails tests with faults. */

const pagePath = '/api/v2.0/docs';
async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  await page.evaluate(inspectorScript);
  return await page.evaluate<readonly string[]>(
    `inspector.findAllViolations(document, { resultTypes: ['violations'] })`,
  );
}

/** Opens the form of an operation. */
async function openForm(page: Page, id: string) {
  const form = page.locator(`[data-try=${id}]`);
  await page.locator('details.try').filter({ has: form }).locator('summary').click();
  return form;
}

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'in %s, %i pixels wide, axe finds nothing, and the page does not scroll sideways',
  async (colorScheme, width) => {
    const { page } = await openBrowser({ scripts: true, bypassPolicy: true, colorScheme, width });
    await page.goto(pagePath);
    expect(await measureOverflow(page)).toBe(0);
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true;`);
    expect(await measureOverflow(page)).toBe(0);
    expect(await findViolations(page)).toEqual([]);
  },
);

test('sends a request as it is filled in, with a token, and shows the response as text', async () => {
  const { baseUrl, env } = inject('service');
  const client = await createClient(env, 'reads_reference');
  const { body } = await requestToken(baseUrl, client);
  const { page, requests } = await openBrowser({ scripts: true, width: 1280 });
  await page.goto(pagePath);
  const tokenField = page.getByLabel('Access token');
  if (!(await tokenField.isVisible())) await page.getByText('Use a token of your application').click();
  await tokenField.fill(body.access_token);
  const form = await openForm(page, 'postCreate');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('200 OK').waitFor();
  await form.locator('[name="text:message"]').fill('<img src=x onerror=alert(1)>');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.locator('pre', { hasText: '<img src=x' }).waitFor();
  expect(await form.locator('.result img').count()).toBe(0);
  const sent = requests.find((request) => request.url() === `${baseUrl}/api/v2.0/post/create`);
  expect(sent?.postDataJSON()).toEqual({ message: 'Hello #Linnet, hello @grace_hopper' });
  expect(sent?.headers()).toMatchObject({ accept: 'application/json', authorization: `Bearer ${body.access_token}` });
  expect(sent?.headers()['cookie']).toBeUndefined();
  const call = createApiCaller(baseUrl, body.access_token);
  expect((await call('GET /users/show')).body.post.text).toContain('<img');
});

test('one press authorizes the page, with the consent of a person, and the token is in memory only', async () => {
  const { env } = inject('service');
  await createClient(env, 'explores_reference');
  const { page, context } = await openBrowser({ scripts: true, width: 1280 });
  await page.goto(pagePath);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Authorize' }).click();
  const popup = await opened;
  await popup.waitForURL(/[/]interaction[/]/);
  await signIn(popup, { username: 'explores_reference', password });
  await decide(popup, 'allow');
  await page.getByText(/^Authorized for \d+ minutes: users posts email[.]$/).waitFor();
  await expect.poll(() => popup.isClosed()).toBe(true);
  const form = await openForm(page, 'usersShow');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.locator('pre', { hasText: '"username": "explores_reference"' }).waitFor();
  expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
  await page.reload();
  const again = await openForm(page, 'usersShow');
  await again.getByRole('button', { name: 'Send' }).click();
  await again.getByText('401 Unauthorized').waitFor();
});

test('a button copies the example of a request; responses have none', async () => {
  const { page, context } = await openBrowser({ scripts: true, width: 1280 });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(pagePath);
  const operation = page.locator('#postCreate');
  await operation.getByRole('button', { name: 'Copy' }).click();
  await operation.getByRole('button', { name: 'Copied' }).waitFor();
  const example = operation.getByRole('region', { name: 'Create a post: request in curl' }).locator('code');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await example.textContent());
});

test('shows the problem of a request without a token', async () => {
  const { page } = await openBrowser({ scripts: true, width: 1280 });
  await page.goto(pagePath);
  const form = await openForm(page, 'feed');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('401 Unauthorized').waitFor();
  expect(await form.locator('pre').textContent()).toContain('token-required');
});

test('everything but the forms works without scripts', async () => {
  const { page } = await openBrowser({ width: 1280 });
  await page.goto(pagePath);
  await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link', { name: 'List followers' }).click();
  expect(new URL(page.url()).hash).toBe('#usersFollowers');
  await page.locator('#usersFollowers').getByText('Errors', { exact: true }).click();
  expect(await page.locator('#usersFollowers').getByRole('link', { name: 'not-found' }).isVisible()).toBe(true);
  expect(await page.locator('.try').first().isVisible()).toBe(false);
});
