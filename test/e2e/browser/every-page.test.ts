import { beforeAll, describe, expect, test } from 'vitest';

import { findBarriers, measureOverflow, readTexts, takePictures, weigh } from '../../support/look.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import type { BrowserOptions, OpenBrowser } from '../../support/open-browser.ts';
import { typedNames, walkEveryPage } from '../../support/tour.ts';

/** What every page has to be. `SCREENSHOTS=<folder>` keeps pictures of all of them. */

interface Seen {
  readonly language: string | null;
  readonly texts: readonly string[];
  readonly overflow: number;
  readonly weight: number;
  readonly barriers: readonly string[];
}

interface Tour {
  readonly pages: ReadonlyMap<string, Seen>;
  readonly faults: readonly string[];
}

const maxBytes = 50_000;

let english: Tour;
let german: Tour;

beforeAll(async () => {
  english = await tour({ locale: 'en-GB', scripts: true, bypassPolicy: true });
  german = await tour({ locale: 'de-DE' });
}, 180_000);

async function tour(options: BrowserOptions): Promise<Tour> {
  await using browser = await connectBrowser(options);
  const pages = new Map<string, Seen>();
  await walkEveryPage(browser, async (name) => {
    pages.set(name, await lookAt(browser, options.scripts === true));
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await takePictures(browser.page, folder, `${options.locale ?? ''}-${name}`);
  });
  return { pages, faults: browser.faults };
}

async function lookAt(browser: OpenBrowser, canRunScripts: boolean): Promise<Seen> {
  const { page } = browser;
  return {
    language: await page.locator('html').getAttribute('lang'),
    texts: await readTexts(page),
    overflow: await measureOverflow(page),
    weight: await weigh(browser),
    barriers: canRunScripts ? await findBarriers(page) : [],
  };
}

/** What each page has of something, where it has any. */
function collect({ pages }: Tour, pick: (seen: Seen) => readonly string[]): readonly string[] {
  return [...pages].flatMap(([name, seen]) => pick(seen).map((one) => `${name}: ${one}`));
}

test('both tours saw the same pages, and no two pages of one tour are the same', () => {
  expect([...german.pages.keys()]).toEqual([...english.pages.keys()]);
  const names = Map.groupBy(english.pages.keys(), (name) => english.pages.get(name)?.texts.join('\n'));
  expect([...names.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test('nothing calls elsewhere, breaks its policy or complains', () => {
  expect([...english.faults, ...german.faults]).toEqual([]);
});

test('axe-core finds no barrier, in light and dark', () => {
  expect(collect(english, ({ barriers }) => barriers)).toEqual([]);
});

describe.each([
  ['English', () => english],
  ['German', () => german],
])('%s', (_language, getTour) => {
  test('nothing scrolls sideways at 320 pixels', () => {
    expect(collect(getTour(), ({ overflow }) => (overflow > 0 ? [`${String(overflow)} pixels`] : []))).toEqual([]);
  });

  test('each page weighs less than 50 KB, everything included', () => {
    expect(collect(getTour(), ({ weight }) => (weight < maxBytes ? [] : [`${String(weight)} bytes`]))).toEqual([]);
    expect(Math.min(...[...getTour().pages.values()].map(({ weight }) => weight))).toBeGreaterThan(1000);
  });
});

/** The same in both languages. */
const names = [...typedNames, 'Linnet', 'English', 'Deutsch', 'Name', 'Passkeys'];

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(names.reduce((rest, name) => rest.replaceAll(name, ''), text));
}

test('German: no English text stays', () => {
  expect(new Set([...german.pages.values()].map(({ language }) => language))).toEqual(new Set(['de']));
  expect(new Set([...english.pages.values()].map(({ language }) => language))).toEqual(new Set(['en']));
  const inEnglish = new Set([...english.pages.values()].flatMap(({ texts }) => texts));
  expect(inEnglish.size).toBeGreaterThan(100);
  const stayed = collect(german, ({ texts }) => texts.filter((text) => inEnglish.has(text) && hasWords(text)));
  expect(stayed).toEqual([]);
});
