import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { codeAt } from '../../support/authenticator-code.ts';
import { press, publishFirstPost } from '../../support/first-post.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { operate } from '../../support/operator.ts';
import { fill, fillRegistration, newPerson, register } from '../../support/page-steps.ts';
import type { Person } from '../../support/page-steps.ts';

/** What an operator does, from `/` on, without typing an address and without scripts. */

/** Registers, turns on an authenticator app and signs out. Returns the key of the app. */
async function becomeOperator(page: Page, person: Person): Promise<string> {
  await press(page, 'Create an account');
  await fillRegistration(page, person);
  await press(page, 'Create account');
  await press(page, 'Back to Linnet');
  await page.getByRole('link', { name: 'Security' }).click();
  await page.locator('main a[href="/account/security/authenticator"]').click();
  const key = await page.getByTestId('setup-key').innerText();
  await fill(page, { code: codeAt(key, 0) });
  await page.getByTestId('confirm-authenticator').click();
  await operate(['user', 'grant-operator', person.username], inject('service').env);
  await page.locator('.main-navigation a[href="/logout"]').click();
  await page.getByTestId('sign-out').click();
  return key;
}

test('an operator comes from the front page to a person, suspends them and restores them, and posts', async () => {
  const other = await openBrowser();
  const member = await register(other.page);
  const { page } = await openBrowser();
  const operator = newPerson();
  await page.goto('/');
  const key = await becomeOperator(page, operator);
  await page.locator('.brand').click();
  await press(page, 'Sign in');
  await fill(page, { login: operator.username, password: operator.password });
  await page.locator('main form button').first().click();
  await fill(page, { code: codeAt(key, 30) });
  await page.locator('main form button').first().click();

  await press(page, 'Back to Linnet');
  await page.locator('main').getByRole('link', { name: 'Administration' }).click();
  await press(page, 'People');
  await fill(page, { q: member.username });
  await press(page, 'Search');
  await page
    .locator('main')
    .getByRole('link', { name: `@${member.username}` })
    .click();
  for (const [action, reason, done] of [
    ['suspend', 'Sends the same advertisement to everybody', 404],
    ['restore', 'The advertisements are gone', 200],
  ] as const) {
    const form = page.getByTestId(`act-${action}`);
    await page.locator(`summary:has(+ [data-testid=act-${action}])`).click();
    await form.locator('[type=text], input:not([type])').first().fill(reason);
    await form.getByRole('button').click();
    await page.locator('[role=status]').waitFor();
    expect(await page.locator('main').innerText()).toContain(reason);
    expect((await other.page.request.get(`/@${member.username}`)).status()).toBe(done);
  }
  await publishFirstPost(page, 'The first post of an operator');
});
