import { chromium } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { startBrowser } from '../../support/browser.ts';
import { findChromium } from '../../support/chromium.ts';

/** What tests run in on machines that have Node, npm and nothing else. */

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the Chromium of the npm package shows pages, with fonts of its own',
  async () => {
    await using server = await startBrowser(await findChromium('', []));
    const browser = await chromium.connect(server.endpoint.url);
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${inject('service').baseUrl}/login`);
    const box = await page.locator('h1').boundingBox();
    expect(box?.height).toBeGreaterThan(10);
    expect(box?.width).toBeGreaterThan(10);
    await browser.close();
  },
);

test('CHROMIUM_PATH that leads nowhere is said, not passed over', async () => {
  await expect(findChromium('/nowhere/chromium')).rejects.toThrow(
    'CHROMIUM_PATH: there is nothing at /nowhere/chromium',
  );
});
