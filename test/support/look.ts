/** What is looked at on each page, besides what it says. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import type { OpenBrowser } from './open-browser.ts';

/** A page has to fit here (WCAG 2.2, 1.4.10). */
export const narrowWidth = 320;
const wideWidth = 1024;
const height = 800;

/** How far the page reaches beyond its window, in pixels. */
export async function measureOverflow(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Bytes of the page and of everything that it takes, as the browser gets them without compression. */
export async function weigh({ page, requests }: OpenBrowser): Promise<number> {
  const [address] = page.url().split('#');
  const shown = requests.findLast(
    (request) => request.isNavigationRequest() && request.url().split('#')[0] === address,
  );
  // What only an earlier page took is no longer to be had, and none of this one's.
  const since = shown === undefined ? [] : requests.slice(requests.lastIndexOf(shown));
  const assets = new Map(
    since.filter((request) => !request.isNavigationRequest()).map((asset) => [asset.url(), asset]),
  );
  const bodies = [shown, ...assets.values()].map(async (request) => await (await request?.response())?.body());
  return (await Promise.all(bodies)).reduce((sum, body) => sum + (body?.length ?? 0), 0);
}

/**
 * What the page says in its own language, to eyes and to screen readers, folded parts included: piece by
 * piece, without what is for machines and what is marked as another language.
 */
export async function readTexts(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const root = document.documentElement;
    const isOurs = (element: Element) =>
      element.closest('pre, code, textarea') === null && element.closest('[lang]') === root;
    const elements = [...root.querySelectorAll('*')].filter(isOurs);
    const seen = elements.flatMap((element) =>
      [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE),
    );
    const spoken = elements.flatMap((element) =>
      ['alt', 'aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name)),
    );
    return [...seen.map((node) => node.textContent), ...spoken];
  });
  return texts.flatMap((text) => text?.trim() ?? []).filter((text) => text !== '');
}

/** Pictures of the page in `folder`: light and dark, wide and narrow. */
export async function takePictures(page: Page, folder: string, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: wideWidth, height };
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [wideWidth, narrowWidth]) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${String(width)}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}
