/** Measurements and screenshots of the page a browser shows. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page, Request } from 'playwright-core';

import type { OpenBrowser } from './open-browser.ts';

/** Pages fit into this width without horizontal scrolling (WCAG 2.2, 1.4.10). */
export const narrowWidth = 320;
export const wideWidth = 1024;
const height = 800;

/** By how many pixels the page is wider than its window. */
export async function measureOverflow(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Bytes of the page and of every asset that it loads, uncompressed, without pictures of posts. */
export async function measureWeight({ page, requests }: OpenBrowser): Promise<number> {
  const [address] = page.url().split('#');
  const shown = requests.findLast(
    (request) => request.isNavigationRequest() && request.url().split('#')[0] === address,
  );
  // Requests of earlier pages do not count, and their bodies are gone.
  const since = shown === undefined ? [] : requests.slice(requests.lastIndexOf(shown));
  const isOfPage = (request: Request) =>
    !request.isNavigationRequest() &&
    // What the browser fetches for the next page, while it has nothing else to do.
    request.headers()['sec-purpose'] !== 'prefetch' &&
    !new URL(request.url()).pathname.startsWith('/media/');
  const assets = new Map(since.filter(isOfPage).map((asset) => [asset.url(), asset]));
  const bodies = [shown, ...assets.values()].map(async (request) => await (await request?.response())?.body());
  return (await Promise.all(bodies)).reduce((sum, body) => sum + (body?.length ?? 0), 0);
}

/**
 * The texts of the page in its own language, as seen and as read by screen readers, folded parts included. Without
 * code, text areas, posts and parts marked as another language.
 */
export async function readTexts(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const root = document.documentElement;
    const isOwnText = (element: Element) =>
      element.closest('pre, code, textarea, .post') === null && element.closest('[lang]') === root;
    const elements = [...root.querySelectorAll('*')].filter(isOwnText);
    const visible = elements.flatMap((element) =>
      [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE),
    );
    const spoken = elements.flatMap((element) =>
      ['alt', 'aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name)),
    );
    return [...visible.map((node) => node.textContent), ...spoken];
  });
  return texts.flatMap((text) => text?.trim() ?? []).filter((text) => text !== '');
}

/** Screenshots of the page in `folder`: light and dark, wide and narrow. */
export async function takeScreenshots(page: Page, folder: string, name: string): Promise<void> {
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
