import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { fill } from './page-steps.ts';

/** Presses the first link or button with this name. */
export async function press(page: Page, name: string): Promise<void> {
  await page
    .getByRole('link', { name, exact: true })
    .or(page.getByRole('button', { name, exact: true }))
    .first()
    .click();
}

/** Creates an application, publishes a post in its playground and reads it, by links and buttons only. The person must be signed in. */
export async function publishFirstPost(page: Page, message: string): Promise<void> {
  await press(page, 'My applications');
  await press(page, 'Create application');
  await fill(page, { name: 'Weather bird' });
  await press(page, 'Create application');
  await press(page, 'Try it in the playground');
  await press(page, 'Start');
  await press(page, 'Go to the consent page');
  await press(page, 'Authorize');
  await page.locator('summary', { hasText: 'Choose another endpoint' }).click();
  await press(page, 'POST /post/create');
  await fill(page, { p_message: message });
  await press(page, 'Send request');
  const exchange = page.getByTestId('playground-exchange');
  expect(await exchange.locator('pre').first().innerText()).toContain('HTTP/1.1 200');
  await press(page, 'Home');
  await press(page, 'Your public profile');
  await page.getByRole('article').getByText(message).waitFor();
}
