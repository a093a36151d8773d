import { drawGuides } from '../../support/auth/sample-site.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { connectBrowser, openBrowser } from '../../support/open-browser.ts';
import { narrowWidth, takeScreenshots, wideWidth } from '../../support/page-measurements.ts';
import { inspectAll, inspectFully, openInspector, serveStates } from '../../support/sample-states.ts';

/** Every guide of the documentation. `SCREENSHOTS=<folder>` saves screenshots of all. */

const guides = drawGuides();
let server: Awaited<ReturnType<typeof serveStates>>;

beforeAll(async () => {
  server = await serveStates();
});
afterAll(async () => await server[Symbol.asyncDispose]());

test('light, 320 pixels wide: no axe-core violation, nothing cut off, every focus visible', async () => {
  await using browser = await connectBrowser({ scripts: true, bypassPolicy: true, width: narrowWidth });
  await openInspector(browser.page, server.address);
  const folder = process.env['SCREENSHOTS'];
  for (const [slug, html] of guides) {
    const found = await inspectFully(browser.page, html);
    expect([slug, ...found]).toEqual([slug]);
    if (folder !== undefined) await takeScreenshots(browser.page, folder, `guide-${slug}`);
  }
  expect(browser.faults).toEqual([]);
});

test('dark, on a desktop: enough contrast, and no target too small', async () => {
  await using browser = await connectBrowser({ scripts: true, bypassPolicy: true, colorScheme: 'dark' });
  await openInspector(browser.page, server.address);
  const checks = ['findSmallTargets', 'findCoveredTargets', 'findOverflow'] as const;
  expect(await inspectAll(browser.page, guides, { width: wideWidth, withAxe: true, checks })).toEqual([]);
});

test('a language that was chosen once is that of all examples, and of the next guide', async () => {
  const { page } = await openBrowser({ scripts: true, width: 390 });
  await page.goto('/developers/quickstart');
  const shown = async () => await page.locator('.examples input:checked + label').allInnerTexts();
  expect(new Set(await shown())).toEqual(new Set(['curl']));
  const last = page.locator('.examples').last().getByLabel('Python');
  await last.scrollIntoViewIfNeeded();
  const place = await last.boundingBox();
  await last.check();
  expect(new Set(await shown())).toEqual(new Set(['Python']));
  expect((await last.boundingBox())?.y).toBeCloseTo(place?.y ?? 0, 0);
  await page.goto('/developers/sign-in');
  expect(new Set(await shown())).toEqual(new Set(['Python']));
});
