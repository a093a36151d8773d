import { expect, test } from 'vitest';

import { press, publishFirstPost } from '../../support/first-post.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { fill, fillRegistration, newPerson } from '../../support/page-steps.ts';

/** From `/` to the first post, without typing an address and without scripts. operator.test.ts does it as an operator. */

test('a visitor registers and posts, and comes back as a developer who signs in and posts', async () => {
  const { page } = await openBrowser();
  const person = newPerson();
  await page.goto('/');
  await press(page, 'Create an account');
  await fillRegistration(page, person);
  await press(page, 'Create account');
  await press(page, 'Back to Linnet');
  await publishFirstPost(page, 'The first post of a visitor');
  await page.locator('.brand').click();
  await page.locator('.main-navigation a[href="/logout"]').click();
  await page.getByTestId('sign-out').click();
  await page.locator('.brand').click();
  expect(await page.locator('h1').innerText()).toMatch(/^Short posts/);
  await press(page, 'Documentation');
  await press(page, 'Quickstart');
  await page.locator('article a[href="/developer/applications/new"]').click();
  await fill(page, { login: person.username, password: person.password });
  await press(page, 'Sign in');
  expect(await page.locator('h1').innerText()).toBe('Create application');
  await publishFirstPost(page, 'The first post of a developer');
});
