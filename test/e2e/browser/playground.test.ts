import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { fill, fillRegistration, newPerson } from '../../support/page-steps.ts';

/** From nothing to a consented call, as somebody goes who has never been here: by what the pages offer, without scripts. */

const heading = async (page: Page) => await page.getByRole('heading', { level: 1 }).innerText();

/** Counts what a person does. */
function createHand(page: Page) {
  let presses = 0;
  return {
    press: async (name: string) => {
      presses += 1;
      await page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().click();
    },
    presses: () => presses,
  };
}

test('registration, application, consent, token and call take nine presses and six fields', async () => {
  const { page } = await openBrowser();
  const person = newPerson();
  const hand = createHand(page);
  await page.goto('/');
  await hand.press('Create an account');
  await fillRegistration(page, person);
  await hand.press('Create account');
  await hand.press('Create application');
  await fill(page, { name: 'Weather bird' });
  await hand.press('Create application');
  await hand.press('Try it in the playground');
  await hand.press('Start');
  await hand.press('Go to the consent page');
  expect(await heading(page)).toContain('Weather bird');
  await hand.press('Authorize');
  await hand.press('Send request');
  const exchange = page.getByTestId('playground-exchange');
  const answer = await exchange.locator('pre').first().innerText();
  expect(answer).toContain('HTTP/1.1 200');
  expect(answer).toContain(`"username": "${person.username}"`);
  expect(hand.presses()).toBe(9);
  await exchange.getByText('Show as curl').click();
  expect(await exchange.innerText()).toContain(`curl '${inject('service').baseUrl}/api/v2.0/users/show'`);

  // What it wrote is there, and a token that was given back ends.
  await page.goto(`${new URL(page.url()).pathname}?call=post-create`);
  await fill(page, { p_message: `It's "so" & <b>` });
  await hand.press('Send request');
  expect(await exchange.innerText()).toContain(String.raw`"text": "It's \"so\" & <b>"`);
  await hand.press('Revoke');
  await expect
    .poll(async () => {
      await page.goto(`${new URL(page.url()).pathname}?call=users-show`);
      await hand.press('Send request');
      return await exchange.innerText();
    })
    .toContain('HTTP/1.1 401');
});
