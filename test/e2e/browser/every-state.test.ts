import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fontFamilies, useFamily } from '../../support/fonts.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import type { BrowserOptions } from '../../support/open-browser.ts';
import { narrowWidth, takeScreenshots, wideWidth } from '../../support/page-measurements.ts';
import {
  inspectAll,
  inspectFully,
  openInspector,
  renderStates,
  serveStates,
  withStyle,
} from '../../support/sample-states.ts';

/**
 * WCAG 2.2 AA, as far as rules can check it, for every page in every state. The pages come from the samples; a page
 * without a sample fails a test beside them. `SCREENSHOTS=<folder>` saves screenshots of all states.
 */

const name = 'Weather Bird';
/** One word, wider than a narrow window. */
const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze';

/** `pnpm test:long fonts` looks in every family and language; the usual run where most is cut: in the widest family, in German. */
const isEveryFont = process.env['EVERY_FONT'] !== undefined;
const [, widest] = fontFamilies.sans;

let server: Awaited<ReturnType<typeof serveStates>>;

beforeAll(async () => {
  server = await serveStates();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function openWorkbench(options: BrowserOptions = {}) {
  const browser = await connectBrowser({ scripts: true, bypassPolicy: true, ...options });
  await openInspector(browser.page, server.address);
  return browser;
}

async function inspectEach(
  documents: ReadonlyMap<string, string>,
  inspect: (html: string, state: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [state, html] of documents) {
    for (const one of await inspect(html, state)) found.push(`${state}: ${one}`);
  }
  return found;
}

test('light, 320 pixels wide: no axe-core violation, nothing cut off, every focus visible', async () => {
  await using browser = await openWorkbench({ width: narrowWidth });
  const found = await inspectEach(renderStates('en', name), async (html, state) => {
    const problems = await inspectFully(browser.page, html);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await takeScreenshots(browser.page, folder, `state-${state.replaceAll(/\W+/g, '-')}`);
    return problems;
  });
  expect(found).toEqual([]);
  // Chromium complains about refused dates, which a date field cannot show.
  expect(browser.faults.filter((fault) => !fault.includes('does not conform to the required format'))).toEqual([]);
});

test('dark, on a desktop: enough contrast, and no target too small', async () => {
  await using browser = await openWorkbench({ colorScheme: 'dark' });
  const checks = ['findSmallTargets', 'findCoveredTargets'] as const;
  const inspection = { width: wideWidth, withAxe: true, checks };
  expect(await inspectAll(browser.page, renderStates('en', name), inspection)).toEqual([]);
});

describe.each(isEveryFont ? fontFamilies.sans : [widest])('in %s', (family) => {
  // The schemes differ in colours alone (packages/ui/src/stylesheet.test.ts), so each width needs one of them.
  test('every target is at least 24 pixels high and wide, and none covers another', async () => {
    await using browser = await openWorkbench();
    const { page } = browser;
    const documents = withStyle(renderStates('en', name), useFamily(family));
    const inspect = async (width: number) =>
      await inspectAll(page, documents, { width, checks: ['findSmallTargets', 'findCoveredTargets'] });
    const narrow = await inspect(narrowWidth);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect({ narrow, wide: await inspect(wideWidth) }).toEqual({ narrow: [], wide: [] });
  });

  test('nothing is cut off or scrolls sideways in any language, with long names or wide spacing', async () => {
    await using browser = await openWorkbench({ width: narrowWidth });
    const find = async (documents: ReadonlyMap<string, string>, width = narrowWidth) =>
      await inspectAll(browser.page, withStyle(documents, useFamily(family)), {
        width,
        checks: ['findOverflow', 'findSmallTargets'],
      });
    expect(await find(renderStates('de', longName))).toEqual([]);
    expect(await find(withStyle(renderStates('de', name), spacing), 360)).toEqual([]);
    if (!isEveryFont) return;
    for (const locale of ['en', 'fr', 'es'] as const) {
      expect([locale, await find(renderStates(locale, name))]).toEqual([locale, []]);
    }
  });
});

/** The spacing that readers may set (WCAG 2.2, 1.4.12). */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
`;

test('the inspector finds planted problems', async () => {
  await using browser = await openWorkbench({ width: narrowWidth });
  const { page } = browser;
  const wrong = `<!DOCTYPE html><html><head><style>
    .pale { color: #aaa; background: #fff } @media (prefers-color-scheme: dark) { .dusk { color: #333; background: #222 } }
    .small { width: 12px; height: 12px; padding: 0; outline: none; display: block }
    .wide { width: 400px } .cut { width: 50px; overflow: hidden; white-space: nowrap }
    </style></head><body><p class="pale">Pale</p><p class="wide">Wide</p><p class="cut">Cut because it is too long</p>
    <details><summary>More</summary><input></details><a class="small" href="#">a</a><a class="small" href="#">b</a>
    </body></html>`;
  const found = await inspectFully(page, wrong);
  const kinds = new Set(found.map((one) => one.replace(/:.*/s, '').replace(/by \d+ pixels/, '')));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'color-contrast',
      'document-title',
      'html-has-lang',
      'label',
      'page-has-heading-one',
      '12.0 by 12.0 pixels to press',
      'scrolls sideways ',
      'cut ',
      'focus is not visible',
    ]),
  );
  await page.emulateMedia({ colorScheme: 'dark' });
  const inTheDark = await inspectAll(page, new Map([['page', wrong.replace('class="pale"', 'class="dusk"')]]), {
    width: wideWidth,
    withAxe: true,
    checks: ['findSmallTargets'],
  });
  const planted = /^page: (?:color-contrast|12[.]0 by 12[.]0 pixels to press): .*class="(?:dusk|small)"/;
  expect(inTheDark.filter((one) => planted.test(one))).toHaveLength(3);
  const documents = new Map([['page', wrong]]);
  expect(await inspectAll(page, documents, { width: narrowWidth, checks: ['findOverflow'] })).toHaveLength(2);
});

test('the inspector finds targets that overlap, line by line', async () => {
  await using browser = await openWorkbench({ width: narrowWidth });
  const html = `<!DOCTYPE html><html><head></head><body style="width: 200px; font: 16px/30px ${fontFamilies.mono}">
    <p>see <a href="#long">a link of two whole lines</a> and <a href="#next">next</a></p>
    <p style="display: flex"><a href="#a">first</a><a href="#b" style="margin-left: -4px">second</a></p>
    <p style="height: 10px; margin: 0"><a href="#c">third</a></p><p style="margin: 0"><a href="#d">fourth</a></p></body></html>`;
  const found = await inspectAll(browser.page, new Map([['page', html]]), {
    width: narrowWidth,
    checks: ['findCoveredTargets'],
  });
  const pairs = found.map((one) => [...one.matchAll(/#\w+/g)].map(([target]) => target).join(' '));
  expect(pairs).toEqual(['#a #b', '#c #d']);
});

test('the inspector finds small targets, except in a sentence or with a large label', async () => {
  await using browser = await openWorkbench({ width: narrowWidth });
  const documents = new Map([
    [
      'page',
      `<!DOCTYPE html><html><head></head><body style="font: 16px/1.5 ${fontFamilies.mono}"><p><a href="#alone">alone</a></p>
      <p>Read <a href="#sentence">the rules</a> first.</p><p><a href="#one">one</a> · <a href="#two">two</a></p>
      <p><input type="checkbox" id="a"><label for="a" style="display: inline-block; padding: 4px">large</label></p>
      <p><input type="checkbox" id="b"></p><button style="width: 20px; height: 30px; padding: 0">x</button>
      </body></html>`,
    ],
  ]);
  const found = await inspectAll(browser.page, documents, { width: narrowWidth, checks: ['findSmallTargets'] });
  expect(found.map((one) => /#\w+|id="\w"|<button/.exec(one)?.[0])).toEqual([
    '#alone',
    '#one',
    '#two',
    'id="b"',
    '<button',
  ]);
});
