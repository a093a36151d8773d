import { textsIn } from '@linnet/auth/testing/sample-site';
import { beforeAll, expect, inject, test } from 'vitest';

import {
  measureOverflow,
  narrowWidth,
  readTexts,
  takeScreenshots,
  measureWeight,
} from '../../support/page-measurements.ts';
import { connectBrowser } from '../../support/open-browser.ts';
import type { OpenBrowser } from '../../support/open-browser.ts';
import { typedNames, walkEveryPage } from '../../support/tour.ts';

/**
 * What every page of the running service has to be; every-state.test.ts looks at barriers, of many more states. One
 * tour is in English. The other speaks another language at each page, in turn: texts that a catalogue lacks do not
 * compile, and this finds those that are in none. `SCREENSHOTS=<folder>` keeps pictures of all pages.
 */

interface Seen {
  readonly language: string | null;
  readonly texts: readonly string[];
  readonly overflow: number;
  readonly weight: number;
}

interface Tour {
  readonly pages: ReadonlyMap<string, Seen>;
  readonly faults: readonly string[];
}

const maxBytes = 50_000;
const otherLanguages = ['de', 'fr', 'es'] as const;

let english: Tour;
let others: Tour;

beforeAll(async () => {
  [english, others] = await Promise.all([tour({ languages: ['en'] }), tour({ languages: otherLanguages })]);
}, 180_000);

async function tour({ languages }: { readonly languages: readonly string[] }): Promise<Tour> {
  await using browser = await connectBrowser({ width: narrowWidth });
  const { page, context } = browser;
  const pages = new Map<string, Seen>();
  const speak = async (index: number) => {
    const value = languages[index % languages.length] ?? '';
    await context.addCookies([{ name: 'linnet_language', value, url: inject('service').baseUrl }]);
  };
  await speak(0);
  await walkEveryPage(browser, async (name) => {
    pages.set(name, await lookAt(browser));
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await takeScreenshots(page, folder, `${String(pages.get(name)?.language)}-${name}`);
    await speak(pages.size);
  });
  return { pages, faults: browser.faults };
}

async function lookAt(browser: OpenBrowser): Promise<Seen> {
  const { page } = browser;
  return {
    language: await page.locator('html').getAttribute('lang'),
    texts: await readTexts(page),
    weight: await measureWeight(browser),
    overflow: await measureOverflow(page),
  };
}

/** What pages have of something, where they have any. */
function collect(tours: readonly Tour[], pick: (seen: Seen) => readonly string[]): readonly string[] {
  return tours.flatMap(({ pages }) =>
    [...pages].flatMap(([name, seen]) => pick(seen).map((one) => `${String(seen.language)} ${name}: ${one}`)),
  );
}

test('both tours saw the same pages, and no two pages are the same', () => {
  expect([...others.pages.keys()]).toEqual([...english.pages.keys()]);
  const names = Map.groupBy(english.pages.keys(), (name) => english.pages.get(name)?.texts.join('\n'));
  expect([...names.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test('nothing calls elsewhere, breaks its policy or complains', () => {
  expect([english, others].flatMap(({ faults }) => faults)).toEqual([]);
});

test('each page weighs less than 50 KB, everything included', () => {
  const isWrong = ({ weight }: Seen) => weight < 1000 || weight >= maxBytes;
  expect(collect([english, others], (seen) => (isWrong(seen) ? [String(seen.weight)] : []))).toEqual([]);
});

test('nothing scrolls sideways at 320 pixels', () => {
  expect(collect([english, others], ({ overflow }) => (overflow > 0 ? [`${String(overflow)} pixels`] : []))).toEqual(
    [],
  );
});

/** The same in every language; the playground calls its secret so. */
const names = [...typedNames, 'Playground', 'Linnet', 'English', 'Deutsch', 'Français', 'Español'];

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(names.reduce((rest, name) => rest.replaceAll(name, ''), text));
}

test('each page is in the language that was asked for', () => {
  expect(new Set([...english.pages.values()].map(({ language }) => language))).toEqual(new Set(['en']));
  const asked = [...others.pages.keys()].map((_page, index) => otherLanguages[index % otherLanguages.length]);
  expect([...others.pages.values()].map(({ language }) => language)).toEqual(asked);
});

test('no English text stays', () => {
  const inEnglish = new Set([...english.pages.values()].flatMap(({ texts }) => texts));
  expect(inEnglish.size).toBeGreaterThan(100);
  // What a catalogue has may be the same word in both languages; titles end with the name of the service.
  const own = new Map<string | null, ReadonlySet<string>>(otherLanguages.map((one) => [one, textsIn(one)]));
  const strange = collect([others], ({ language, texts }) =>
    texts.filter(
      (text) =>
        inEnglish.has(text) && hasWords(text) && own.get(language)?.has(text.replace(/ · Linnet$/, '')) !== true,
    ),
  );
  expect(strange).toEqual([]);
});
