/** People who use the keyboard alone: what they press, and that they see where they are. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const maxStops = 60;

/** Where the focus is, how far that is down the document, and whether it is seen. */
const askFocus = `(() => {
  const { activeElement } = document;
  const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
  const { left, right, top, bottom } = activeElement.getBoundingClientRect();
  return {
    place: [...document.querySelectorAll('*')].indexOf(activeElement),
    isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
      && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight,
    html: activeElement.outerHTML.slice(0, 120),
  };
})()`;

interface Focus {
  readonly place: number;
  readonly isSeen: boolean;
  readonly html: string;
}

async function isAt(page: Page, selector: string): Promise<boolean> {
  return await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);
}

/**
 * Presses Tab until the focus is on what `selector` names. Each stop on the way has to be seen, and to come after the
 * one before it in the document, which is what is read.
 */
export async function tabTo(page: Page, selector: string): Promise<void> {
  let { place } = await page.evaluate<Focus>(askFocus);
  for (let stop = 1; stop <= maxStops; stop += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<Focus>(askFocus);
    expect(focus, `Tab leads on to what is seen, on its way to ${selector}`).toMatchObject({ isSeen: true });
    expect(focus.place, `Tab leads forwards to ${focus.html}, on its way to ${selector}`).toBeGreaterThan(place);
    if (await isAt(page, selector)) return;
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
  const { isSeen, html } = await page.evaluate<Focus>(askFocus);
  expect([isSeen, await isAt(page, selector)], `the focus is seen at ${selector}; it is at ${html}`).toEqual([
    true,
    true,
  ]);
}

/** Goes to a field, and writes there instead of what it has. */
export async function typeInto(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (!(await isAt(page, `[name="${name}"]`))) await tabTo(page, `[name="${name}"]`);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(value);
  }
}

/** Goes to what leads to another page, and presses Enter. */
export async function enter(page: Page, selector: string): Promise<void> {
  if (!(await isAt(page, selector))) await tabTo(page, selector);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}
