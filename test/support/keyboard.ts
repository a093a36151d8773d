/** Keyboard-only use of pages: pressing keys, and checking that the focus is visible. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const maxStops = 60;

interface Focus {
  /** Index in document order. */
  readonly index: number;
  readonly isVisible: boolean;
  readonly isWanted: boolean;
  readonly html: string;
}

/** The focused element, whether its outline is visible, and whether it matches `selector`. */
async function findFocus(page: Page, selector: string): Promise<Focus> {
  return await page.evaluate((wanted) => {
    const focused = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(focused);
    const { left, right, top, bottom } = focused.getBoundingClientRect();
    const isInside = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
    return {
      index: [...document.querySelectorAll('*')].indexOf(focused),
      isVisible: isInside && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      isWanted: focused.matches(wanted),
      html: focused.outerHTML.slice(0, 120),
    };
  }, selector);
}

/**
 * Presses Tab until the focused element matches `selector`. Each focused element must be visible and come after the
 * previous one in the document, which is the reading order.
 */
export async function tabTo(page: Page, selector: string): Promise<void> {
  let { index } = await findFocus(page, selector);
  for (let stop = 1; stop <= maxStops; stop += 1) {
    await page.keyboard.press('Tab');
    const focus = await findFocus(page, selector);
    expect(focus, `Tab reaches a visible element on its way to ${selector}`).toMatchObject({ isVisible: true });
    expect(focus.index, `Tab moves forward to ${focus.html} on its way to ${selector}`).toBeGreaterThan(index);
    if (focus.isWanted) return;
    ({ index } = focus);
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Presses Shift+Tab once, which must reach `selector`. */
export async function tabBackTo(page: Page, selector: string): Promise<void> {
  await page.keyboard.press('Shift+Tab');
  await expectFocus(page, selector);
}

/** Waits until the focus is visible at `selector`: browsers apply `autofocus` in a frame that can follow the load event. */
export async function expectFocus(page: Page, selector: string): Promise<void> {
  await expect
    .poll(async () => await findFocus(page, selector), {
      message: `the focus must be visible at ${selector}`,
    })
    .toMatchObject({ isVisible: true, isWanted: true });
}

/** Tabs to `selector` unless it has the focus. */
async function ensureFocus(page: Page, selector: string): Promise<void> {
  const { isWanted } = await findFocus(page, selector);
  if (!isWanted) await tabTo(page, selector);
}

/** Tabs to fields by name and replaces their values. */
export async function typeInto(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await ensureFocus(page, `[name="${name}"]`);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(value);
  }
}

/** Tabs to a link or button and presses Enter, which must load a page. */
export async function pressEnter(page: Page, selector: string): Promise<void> {
  await ensureFocus(page, selector);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}
