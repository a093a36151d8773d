import { chromium } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { startBrowser } from '../../support/browser.ts';
import { findChromium } from '../../support/chromium.ts';

/** The Chromium for machines that have only Node and npm. */

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the Chromium of the npm package shows pages and draws text',
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

test('reports a CHROMIUM_PATH that does not exist', async () => {
  await expect(findChromium('/nowhere/chromium')).rejects.toThrow('CHROMIUM_PATH: /nowhere/chromium does not exist');
});
