import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { fill, fillRegistration, newPerson } from '../../support/page-steps.ts';

/** From registration to an API request with consent, as a newcomer: following links and buttons, without scripts. */

const heading = async (page: Page) => await page.getByRole('heading', { level: 1 }).innerText();

/** Clicks links and buttons by name, and counts the clicks. */
function createClicker(page: Page) {
  let clicks = 0;
  return {
    click: async (name: string) => {
      clicks += 1;
      await page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().click();
    },
    clicks: () => clicks,
  };
}

test('from the front page to an API request takes nine clicks and six fields; then to a post that others read', async () => {
  const { page } = await openBrowser();
  const person = newPerson();
  const pointer = createClicker(page);
  await page.goto('/');
  await pointer.click('Create application');
  await pointer.click('Create an account');
  await fillRegistration(page, person);
  await pointer.click('Create account');
  await fill(page, { name: 'Weather bird' });
  await pointer.click('Create application');
  await pointer.click('Try it in the playground');
  await pointer.click('Start');
  await pointer.click('Go to the consent page');
  expect(await heading(page)).toContain('Weather bird');
  await pointer.click('Authorize');
  await pointer.click('Send request');
  const exchange = page.getByTestId('playground-exchange');
  const response = await exchange.locator('pre').first().innerText();
  expect(response).toContain('HTTP/1.1 200');
  expect(response).toContain(`"username": "${person.username}"`);
  expect(pointer.clicks()).toBe(9);
  await exchange.getByText('Show as curl').click();
  expect(await exchange.innerText()).toContain(`curl '${inject('service').baseUrl}/api/v2.0/users/show'`);

  // Writing works, and a revoked token is rejected.
  await page.locator('summary', { hasText: 'Choose another endpoint' }).click();
  await pointer.click('POST /post/create');
  await fill(page, { p_message: `It's "so" & <b>` });
  await pointer.click('Send request');
  expect(await exchange.innerText()).toContain(String.raw`"text": "It's \"so\" & <b>"`);
  await pointer.click('Revoke');
  await expect
    .poll(async () => {
      await page.goto(`${new URL(page.url()).pathname}?call=users-show`);
      await pointer.click('Send request');
      return await exchange.innerText();
    })
    .toContain('HTTP/1.1 401');

  // Others can read it.
  await pointer.click('Home');
  await pointer.click('Your public profile');
  expect(await page.locator('main').innerText()).toContain(`It's "so" & <b>`);
});
