import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { fillRegistration, newPerson, pressSubmit } from '../../support/page-steps.ts';
import { startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';

/** The registration page with REGISTRATION_PROOF=on, in Chromium. */

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { REGISTRATION_PROOF: 'on' } });
});
afterAll(() => service[Symbol.asyncDispose]());

const open = async (scripts = true) => (await openBrowser({ baseUrl: service.baseUrl, scripts, width: 390 })).page;
const stateOf = (page: Page) => page.locator('form [data-proof]');

/** Nothing answers for the worker until the returned function is called. */
async function holdWorker(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<Route>();
  await page.route('**/pbkdf2.js*', resolve);
  return async () => await (await promise).continue();
}

test('the browser computes while the person types; the button works by keyboard', async () => {
  const page = await open();
  await page.goto('/register');
  await fillRegistration(page, newPerson());
  await stateOf(page).filter({ hasText: 'Ready' }).waitFor();
  await page.locator('main form button').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname.startsWith('/home'));
  expect(await page.request.get('/account').then((one) => new URL(one.url()).pathname)).toBe('/account');
});

test('who sends the form earlier waits, and need not press again', async () => {
  const page = await open();
  const release = await holdWorker(page);
  await page.goto('/register');
  await fillRegistration(page, newPerson());
  await stateOf(page).filter({ hasText: 'You don’t need to do anything' }).waitFor();
  await pressSubmit(page);
  await stateOf(page).filter({ hasText: 'is sent when' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/register');
  await release();
  await page.waitForURL(({ pathname }) => pathname.startsWith('/home'));
});

test('where the browser cannot compute, the page says so and an operator decides', async () => {
  const page = await open();
  await page.route('**/pbkdf2.js*', async (route) => await route.fulfill({ status: 404 }));
  await page.goto('/register');
  await stateOf(page).filter({ hasText: 'an administrator will decide' }).waitFor();
  await fillRegistration(page, newPerson());
  await pressSubmit(page);
  expect(await page.getByRole('heading', { name: 'registration' }).innerText()).toBe('Your registration was sent');
});

test('without scripts, the page says what happens, and an operator decides', async () => {
  const page = await open(false);
  await page.goto('/register');
  expect(await page.locator('noscript').innerText()).toContain('Without JavaScript');
  await fillRegistration(page, newPerson());
  await pressSubmit(page);
  expect(await page.getByRole('heading', { name: 'registration' }).innerText()).toBe('Your registration was sent');
});
