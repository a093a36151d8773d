/** People who use the keyboard alone: what they press, and that they see where they are. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const maxStops = 60;

interface Focus {
  /** How far down the document it is. */
  readonly place: number;
  readonly isSeen: boolean;
  readonly isThere: boolean;
  readonly html: string;
}

/** Where the focus is, whether it is seen, and whether that is what `selector` names. */
async function findFocus(page: Page, selector: string): Promise<Focus> {
  return await page.evaluate((wanted) => {
    const focused = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(focused);
    const { left, right, top, bottom } = focused.getBoundingClientRect();
    const isInside = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
    return {
      place: [...document.querySelectorAll('*')].indexOf(focused),
      isSeen: isInside && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      isThere: focused.matches(wanted),
      html: focused.outerHTML.slice(0, 120),
    };
  }, selector);
}

/**
 * Presses Tab until the focus is on what `selector` names. Each stop on the way has to be seen, and to come after the
 * one before it in the document, which is what is read.
 */
export async function tabTo(page: Page, selector: string): Promise<void> {
  let { place } = await findFocus(page, selector);
  for (let stop = 1; stop <= maxStops; stop += 1) {
    await page.keyboard.press('Tab');
    const focus = await findFocus(page, selector);
    expect(focus, `Tab leads on to what is seen, on its way to ${selector}`).toMatchObject({ isSeen: true });
    expect(focus.place, `Tab leads forwards to ${focus.html}, on its way to ${selector}`).toBeGreaterThan(place);
    if (focus.isThere) return;
    ({ place } = focus);
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

/** One step back, which has to lead there. */
export async function tabBackTo(page: Page, selector: string): Promise<void> {
  await page.keyboard.press('Shift+Tab');
  await expectFocus(page, selector);
}

export async function expectFocus(page: Page, selector: string): Promise<void> {
  const { isSeen, isThere, html } = await findFocus(page, selector);
  expect({ isSeen, isThere }, `the focus is to be seen at ${selector}; it is at ${html}`).toEqual({
    isSeen: true,
    isThere: true,
  });
}

/** Goes there unless the focus is there already. */
async function goTo(page: Page, selector: string): Promise<void> {
  const { isThere } = await findFocus(page, selector);
  if (!isThere) await tabTo(page, selector);
}

/** Goes to a field, and writes there instead of what it has. */
export async function typeInto(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await goTo(page, `[name="${name}"]`);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(value);
  }
}

/** Goes to what leads to another page, and presses Enter. */
export async function enter(page: Page, selector: string): Promise<void> {
  await goTo(page, selector);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}
