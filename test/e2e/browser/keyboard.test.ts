import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { codeAt } from '../../support/authenticator-code.ts';
import { pressEnter, expectFocus, tabBackTo, tabTo, typeInto } from '../../support/keyboard.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { createApplication, register, signOut } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';

/** Complete tasks with the keyboard alone; only their preconditions are set up in other ways. */

/** A rejected form: the alert has the focus and links to the field, which describes its error. */
async function expectRejected(page: Page, field: string): Promise<void> {
  await expectFocus(page, '[role=alert]');
  await tabTo(page, `[role=alert] a[href="#field-${field}"]`);
  await page.keyboard.press('Enter');
  await expectFocus(page, `[name="${field}"][aria-invalid=true][aria-describedby*="field-${field}-error"]`);
}

/** Tabs to the fold that contains the first such element, and opens it. */
async function unfold(page: Page, selector: string): Promise<void> {
  expect(await page.locator(selector).first().isVisible()).toBe(false);
  await tabTo(page, `details:has(${selector}) > summary`);
  await page.keyboard.press('Enter');
  expect(await page.locator(selector).first().isVisible()).toBe(true);
}

test('signing in, authorizing, and removing a scope', async () => {
  const { page } = await openBrowser();
  const person = await register(page);
  const scopes = ['users', 'posts', 'email'];
  await using app = await startSampleApplication(page, { scopes, optionalPosts: 'To send your postcards.' });
  await signOut(page);
  await page.goto(app.signInUrl());
  await typeInto(page, { login: person.username, password: 'not the password' });
  await pressEnter(page, '[name=password]');
  await expectFocus(page, '[role=alert]');
  await typeInto(page, { password: person.password });
  await tabBackTo(page, '[name=login]');
  expect(await page.locator(':focus').inputValue()).toBe(person.username);
  await pressEnter(page, '[name=login]');

  await page.keyboard.press('Tab');
  await expectFocus(page, '.skip');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expectFocus(page, 'main .link-button');
  await tabTo(page, '[name=scope][value=email]');
  await page.keyboard.press('Space');
  await tabTo(page, '[name=duration]');
  await expectFocus(page, '[value=until_stopped]:checked');
  await page.keyboard.press('ArrowUp');
  await expectFocus(page, '[value=month]:checked');
  await pressEnter(page, 'button[name=decision][value=allow]');
  expect(await page.locator('#account').innerText()).toBe(person.username);
  expect(await page.locator('#scope').innerText()).toBe('users posts');

  await page.goto('/account');
  await pressEnter(page, '.sections a[href="/account/applications"]');
  await pressEnter(page, `main a[href="/account/applications/${app.clientId}"]`);
  await tabTo(page, '[name=scope][value=posts]:checked');
  await page.keyboard.press('Space');
  await pressEnter(page, '[data-testid=change-application]');
  expect(await page.locator('[role=status]').count()).toBe(1);
  expect(await page.locator('[name=scope]').count()).toBe(0);
  expect(await page.getByTestId('access-ends').count()).toBe(1);
});

test('Enter inside the consent form never authorizes', async () => {
  const { page } = await openBrowser();
  await register(page);
  await using app = await startSampleApplication(page, { scopes: ['users', 'posts', 'email'] });
  await page.goto(app.signInUrl());
  await page.locator('[name=scope][value=email]').focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('#account').count()).toBe(0);
});

test('creating an application, and replacing its secret', async () => {
  const { page } = await openBrowser();
  await register(page);
  await page.goto('/');
  await pressEnter(page, 'main a[href="/developer"]');
  await pressEnter(page, 'a[href="/developer/applications/new"]');
  await pressEnter(page, 'main button');
  await expectRejected(page, 'name');
  await typeInto(page, { name: 'Weather bot' });
  await unfold(page, '[name=act_as_owner]');
  await tabTo(page, '[name=act_as_owner]:checked');
  await page.keyboard.press('Space');
  await pressEnter(page, 'main button');
  const first = await page.getByTestId('client-secret').innerText();
  await pressEnter(page, 'main a.quiet-button');
  await pressEnter(page, '.sections [href$="/credentials"]');
  await typeInto(page, { secret_name: 'Second' });
  await tabTo(page, '[name=secret_lifetime]:checked');
  await pressEnter(page, '[data-testid=add-secret]');
  expect(await page.getByTestId('client-secret').innerText()).not.toBe(first);
  await pressEnter(page, 'main a.quiet-button');
  await pressEnter(page, '.sections [href$="/credentials"]');
  await unfold(page, '[data-testid=retire-secret]');
  await pressEnter(page, '[data-testid=retire-secret]');
  expect(await page.locator('#secrets .rows li').allInnerTexts()).toEqual([expect.stringContaining('Second')]);
});

test('turning on an authenticator app, signing in with it, and cancelling a deletion', async () => {
  const { page } = await openBrowser();
  const person = await register(page);
  await page.goto('/account');
  await pressEnter(page, '.sections a[href="/account/security"]');
  await pressEnter(page, 'main a[href="/account/security/authenticator"]');
  const key = await page.getByTestId('setup-key').innerText();
  await typeInto(page, { code: 'no code' });
  await pressEnter(page, '[name=code]');
  await expectRejected(page, 'code');
  expect(await page.getByTestId('setup-key').innerText()).toBe(key);
  await typeInto(page, { code: codeAt(key, 0) });
  await pressEnter(page, '[data-testid=confirm-authenticator]');
  expect(await page.getByTestId('recovery-codes').locator('li').count()).toBeGreaterThan(5);
  await pressEnter(page, 'main a.button:not([download])');
  await pressEnter(page, '.main-navigation a[href="/logout"]');
  await pressEnter(page, '[data-testid=sign-out]');

  await page.goto('/login');
  await typeInto(page, { login: person.username, password: person.password });
  await pressEnter(page, 'main button');
  // Each code works once. The next one is already valid, since clocks differ.
  await typeInto(page, { code: codeAt(key, 30) });
  await pressEnter(page, 'main button');
  await page.goto('/');
  await pressEnter(page, '.main-navigation a[href="/account"]');
  await pressEnter(page, '.sections a[href="/account/delete"]');
  await tabTo(page, '[name=confirm]');
  await page.keyboard.press('Space');
  await pressEnter(page, 'main a.button[href="/account"]');
  expect(await page.locator('main').innerText()).toContain(`@${person.username}`);
});

test('sending an API request from the playground', async () => {
  const { page } = await openBrowser();
  const { username } = await register(page);
  await createApplication(page, { name: 'Weather bird' });
  await pressEnter(page, '[href$="/playground"]');
  await pressEnter(page, '[data-testid=playground-begin]');
  await pressEnter(page, '[data-testid=playground-authorize]');
  await pressEnter(page, '[name=decision][value=allow]');
  await pressEnter(page, '[data-testid=playground-call]');
  expect(await page.getByTestId('playground-exchange').innerText()).toContain(`"username": "${username}"`);
});
