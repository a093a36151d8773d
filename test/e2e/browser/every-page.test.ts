import { beforeAll, expect, test } from 'vitest';

import { findBarriers, measureOverflow, narrowWidth, readTexts, takePictures, weigh } from '../../support/look.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import type { BrowserOptions, OpenBrowser } from '../../support/open-browser.ts';
import { typedNames, walkEveryPage } from '../../support/tour.ts';

/** What every page has to be. `SCREENSHOTS=<folder>` keeps pictures of all of them. */

interface Seen {
  readonly language: string | null;
  readonly texts: readonly string[];
  readonly overflow: number;
  /** What only a close look tells. */
  readonly close?: { readonly weight: number; readonly barriers: readonly string[] };
}

interface Tour {
  readonly pages: ReadonlyMap<string, Seen>;
  readonly faults: readonly string[];
}

const maxBytes = 50_000;

/** The English one looks closely, the others at what languages change: words and widths. */
let tours: Readonly<Record<'english' | 'german' | 'french', Tour>>;

beforeAll(async () => {
  const [english, german, french] = await Promise.all([
    tour({ locale: 'en-GB', scripts: true, bypassPolicy: true }),
    tour({ locale: 'de-DE', width: narrowWidth }),
    tour({ locale: 'fr-FR', width: narrowWidth }),
  ]);
  tours = { english, german, french };
}, 180_000);

async function tour(options: BrowserOptions): Promise<Tour> {
  await using browser = await connectBrowser(options);
  const pages = new Map<string, Seen>();
  await walkEveryPage(browser, async (name) => {
    pages.set(name, await lookAt(browser, options));
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await takePictures(browser.page, folder, `${options.locale ?? ''}-${name}`);
  });
  return { pages, faults: browser.faults };
}

async function lookAt(browser: OpenBrowser, { scripts = false }: BrowserOptions): Promise<Seen> {
  const { page } = browser;
  return {
    language: await page.locator('html').getAttribute('lang'),
    texts: await readTexts(page),
    ...(scripts ? { close: { weight: await weigh(browser), barriers: await findBarriers(page) } } : {}),
    overflow: await measureOverflow(page),
  };
}

/** What each page has of something, where it has any. */
function collect({ pages }: Tour, pick: (seen: Seen) => readonly string[]): readonly string[] {
  return [...pages].flatMap(([name, seen]) => pick(seen).map((one) => `${name}: ${one}`));
}

test('every tour saw the same pages, and no two pages of one tour are the same', () => {
  const { english } = tours;
  for (const { pages } of Object.values(tours)) expect([...pages.keys()]).toEqual([...english.pages.keys()]);
  const names = Map.groupBy(english.pages.keys(), (name) => english.pages.get(name)?.texts.join('\n'));
  expect([...names.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test('nothing calls elsewhere, breaks its policy or complains', () => {
  expect(Object.values(tours).flatMap(({ faults }) => faults)).toEqual([]);
});

test('axe-core finds no barrier, in light and dark', () => {
  expect(collect(tours.english, ({ close }) => close?.barriers ?? ['was not looked at'])).toEqual([]);
});

test('each page weighs less than 50 KB, everything included', () => {
  const weights = [...tours.english.pages].map(([name, { close }]) => [name, close?.weight ?? 0] as const);
  expect(weights.filter(([, weight]) => weight < 1000 || weight >= maxBytes)).toEqual([]);
});

test.each(['english', 'german', 'french'] as const)('nothing scrolls sideways at 320 pixels (%s)', (language) => {
  const wide = collect(tours[language], ({ overflow }) => (overflow > 0 ? [`${String(overflow)} pixels`] : []));
  expect(wide).toEqual([]);
});

/** The same in every language. */
const names = [...typedNames, 'Linnet', 'English', 'Deutsch', 'Français', 'Español'];
/** The same as in English because the word is the same. */
const alike = {
  german: ['Name', 'Passkeys', 'Logo', 'Links', 'Website'],
  french: ['Code', 'Logo', 'Native', 'Photo', 'Secrets', 'Sessions', 'Type'],
};

/** Titles end with the name of the service. */
function withoutService(text: string): string {
  return text.replace(/ · Linnet$/, '');
}

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(names.reduce((rest, name) => rest.replaceAll(name, ''), text));
}

test.each([
  ['german', 'de'],
  ['french', 'fr'],
] as const)('%s: no English text stays', (language, tag) => {
  expect(new Set([...tours[language].pages.values()].map(({ language: shown }) => shown))).toEqual(new Set([tag]));
  const inEnglish = new Set([...tours.english.pages.values()].flatMap(({ texts }) => texts));
  expect(inEnglish.size).toBeGreaterThan(100);
  const isStrange = (text: string) =>
    inEnglish.has(text) && hasWords(text) && !alike[language].includes(withoutService(text));
  expect(collect(tours[language], ({ texts }) => texts.filter(isStrange))).toEqual([]);
});
