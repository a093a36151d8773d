import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { openBrowser } from '../../support/open-browser.ts';
import { register } from '../../support/page-steps.ts';

let db: Db;
beforeAll(() => {
  db = openDatabase({ url: String(inject('service').env['DATABASE_URL']), poolSize: 1, prepare: false });
});
afterAll(async () => await db[Symbol.asyncDispose]());

/** An import on which another process works; returns what ends it. */
async function openRunning(page: Page) {
  const { username } = await register(page);
  const { id: accountId } = await db.prisma.account.findFirstOrThrow({ where: { username } });
  const dueAt = new Date(Date.now() + 3_600_000);
  const begun = { accountId, source: 'linnet', fileSha256: Buffer.alloc(32), dueAt } as const;
  const { id } = await db.prisma.accountImport.create({ data: begun });
  await page.goto('/account/import');
  await page.getByTestId('imports').getByText('Running.').waitFor();
  const finished = { state: 'finished', posts: 300, dueAt: null, finishedAt: new Date() } as const;
  return async () => await db.prisma.accountImport.update({ where: { id }, data: finished });
}

test('with scripts, the page shows by itself when an import and its undo have ended', async () => {
  const { page } = await openBrowser({ scripts: true });
  const finish = await openRunning(page);
  const imports = page.getByTestId('imports');
  await page.locator('[name=password]').fill('What somebody types stays.');
  const undo = page.getByTestId('undo-import');
  await undo.focus();
  await finish();
  await imports.getByText('Finished. Posts: 300').waitFor();
  expect(await page.locator('[name=password]').inputValue()).toBe('What somebody types stays.');
  // The focus stays on a button that is drawn again.
  expect(await undo.evaluate((button) => button === document.activeElement)).toBe(true);
  await undo.click();
  await imports.getByText('Undone.').waitFor();
});

test('without scripts, the page says that it must be reloaded', async () => {
  const { page } = await openBrowser();
  const finish = await openRunning(page);
  expect(await page.locator('noscript').innerText()).toContain('Reload this page');
  await finish();
  await page.reload();
  await page.getByTestId('imports').getByText('Finished. Posts: 300').waitFor();
  expect(await page.locator('noscript').count()).toBe(0);
});
