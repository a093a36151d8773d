/** Steps in the service's own web client. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { openBrowser } from './open-browser.ts';
import type { BrowserOptions } from './open-browser.ts';
import { register } from './page-steps.ts';
import type { Person } from './page-steps.ts';

export const home = '/home';

export interface OpenClient {
  readonly page: Page;
  readonly person: Person;
}

/** Registers a person, and opens the client. */
export async function openClient(options: BrowserOptions = {}): Promise<OpenClient> {
  const { page } = await openBrowser({ scripts: true, ...options });
  const person = await register(page);
  await page.goto(home);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return { page, person };
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}

/** What axe-core finds on the page; by default, with all its rules. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) });
  // The policy of the page allows no other scripts.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  return await page.evaluate<readonly string[]>(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  );
}

/** Opens a page that is not in the navigation. */
export async function openFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('dialog').getByRole('link', { name }).click();
}
