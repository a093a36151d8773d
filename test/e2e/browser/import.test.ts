import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { toArchive } from '../../support/export-archive.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { register } from '../../support/page-steps.ts';

/** Takes seconds. */
const many = Array.from({ length: 300 }, (_, index) => ({
  id: index + 1,
  text: `Postcard ${String(index)}`,
  created_at: '2026-01-02T03:04:05.000Z',
}));
const archive = {
  name: 'export.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(toArchive({ 'posts.json': many })),
};

async function sendFile(page: Page): Promise<Locator> {
  const person = await register(page);
  await page.goto('/account/import');
  await page.locator('[name=archive]').setInputFiles(archive);
  await page.locator('[name=password]').fill(person.password);
  await page.getByTestId('import-posts').click();
  const imports = page.getByTestId('imports');
  await imports.getByText('Running.').waitFor();
  return imports;
}

test('with scripts, the page shows by itself when an import and its undo have ended', async () => {
  const { page } = await openBrowser({ scripts: true });
  const imports = await sendFile(page);
  await page.locator('[name=password]').fill('What somebody types stays.');
  await page.getByTestId('undo-import').focus();
  await imports.getByText('Finished. Posts: 300').waitFor();
  expect(await page.locator('[name=password]').inputValue()).toBe('What somebody types stays.');
  // The focus stays on a button that is drawn again.
  const undo = page.getByTestId('undo-import');
  expect(await undo.evaluate((button) => button === document.activeElement)).toBe(true);
  await undo.click();
  await imports.getByText('Undone.').waitFor();
});

test('without scripts, the page says that it must be reloaded', async () => {
  const { page } = await openBrowser();
  const imports = await sendFile(page);
  expect(await page.locator('noscript').innerText()).toContain('Reload this page');
  const finished = imports.getByText('Finished. Posts: 300');
  await expect.poll(async () => (await page.reload()) !== null && (await finished.count())).toBe(1);
  expect(await page.locator('noscript').count()).toBe(0);
});
