import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { register, signOut } from '../../support/page-steps.ts';
import { startSampleApplication } from '../../support/sample-application.ts';

const maxStops = 30;

/** Presses Tab until the focus is on what `selector` names, and sees that each stop on the way is visible. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 1; stop <= maxStops; stop += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    const { outlineStyle, boxShadow } = await focused.evaluate((element) => {
      const { outlineStyle: outline, boxShadow: shadow } = getComputedStyle(element);
      return { outlineStyle: outline, boxShadow: shadow };
    });
    expect([outlineStyle, boxShadow], 'the focus is seen').not.toEqual(['none', 'none']);
    if (await focused.evaluate((element, wanted) => element.matches(wanted), selector)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

test('signing in and deciding take no more than the keyboard', async () => {
  const { page } = await openBrowser();
  const person = await register(page);
  await using app = await startSampleApplication(page, { scopes: ['users', 'posts', 'email'] });
  await signOut(page);
  await page.goto(app.signInUrl());
  await tabTo(page, '[name=login]');
  await page.keyboard.type(person.username);
  await tabTo(page, '[name=password]');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');

  await page.locator('button[name=decision]').first().waitFor();
  await tabTo(page, '[name=scope][value=email]');
  await page.keyboard.press('Space');
  await tabTo(page, 'button[name=decision][value=allow]');
  await page.keyboard.press('Enter');
  expect(await page.locator('#account').innerText()).toBe(person.username);
  expect(await page.locator('#scope').innerText()).toBe('users posts');
});

test('Enter in the midst of the consent page never allows', async () => {
  const { page } = await openBrowser();
  await register(page);
  await using app = await startSampleApplication(page, { scopes: ['users', 'posts', 'email'] });
  await page.goto(app.signInUrl());
  await page.locator('[name=scope][value=email]').focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('#account').count()).toBe(0);
});
