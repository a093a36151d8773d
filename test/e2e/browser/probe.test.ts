import { expect } from 'vitest';
import { test } from '../../support/browser-test.ts';

test('probe', async ({ openBrowser }) => {
  const { page, faults } = await openBrowser();
  await page.goto('/login');
  await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color:red\">x</p><img src=\"http://127.0.0.1:1/x\">')");
  await page.waitForTimeout(Number(process.env.PROBE_WAIT ?? 300));
  console.log(faults);
  expect(1).toBe(1);
});
