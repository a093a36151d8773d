import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { newPerson } from '../../support/page-steps.ts';
import { expectAccessible, home, openClient } from '../../support/web-client.ts';

/** From `/` to the first published post, and what a small screen shows. */

interface Counted {
  readonly press: (name: string | RegExp, role?: 'button' | 'link') => Promise<void>;
  readonly fill: (label: string, text: string) => Promise<void>;
  readonly counts: { presses: number; fields: number };
}

function count(page: Page): Counted {
  const counts = { presses: 0, fields: 0 };
  return {
    counts,
    press: async (name, role = 'button') => {
      counts.presses += 1;
      await page.getByRole(role, { name, exact: true }).last().click();
    },
    fill: async (label, text) => {
      counts.fields += 1;
      await page.getByLabel(label, { exact: true }).fill(text);
    },
  };
}

test.each([390, 1280])('a visitor publishes a post with few presses and fields (%i px)', async (width) => {
  const { page } = await openBrowser({ scripts: true, width });
  const { press, fill, counts } = count(page);
  const person = newPerson();
  await page.goto('/');
  await press('Create an account', 'link');
  await fill('First name', person.firstName);
  await fill('Last name', person.lastName);
  await fill('E-mail address', person.email);
  await fill('Password', person.password);
  await press('Create account');
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(home);
  await expectAccessible(page);
  await press('What did you notice?');
  await fill('Your post', 'My first post');
  await press('Post');
  await page.getByRole('article').getByText('My first post').waitFor();
  expect(counts.presses).toBeLessThanOrEqual(6);
  expect(counts.fields).toBeLessThanOrEqual(5);
});

test('signing out of the service ends the client, and the other way round; a second tab is signed in, too', async () => {
  const { page, person } = await openClient();
  const other = await page.context().newPage();
  await other.goto(home);
  await other.getByRole('navigation', { name: 'Main' }).waitFor();
  const key = await other.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('linnet-client');
    opening.onsuccess = () => {
      const reading = opening.result.transaction('kept').objectStore('kept').get('key');
      reading.onsuccess = () => resolve(reading.result.privateKey.extractable);
    };
  })`);
  expect(key).toBe(false);
  await other.goto('/logout');
  await other.getByTestId('sign-out').click();
  await page.getByText('Your access has ended.').waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[name=login]').fill(person.username);
  await page.locator('[name=password]').fill(person.password);
  await page.locator('main form button').first().click();
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Create an account' }).waitFor();
  await page.goto('/account');
  expect(new URL(page.url()).pathname).toBe('/login');
});
