import { textsIn } from '../../support/auth/sample-site.ts';
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
import { enteredNames, tourEveryPage } from '../../support/tour.ts';

/**
 * Checks all pages of the running service; every-state.test.ts checks the accessibility of many more states. One tour is
 * in English; the other uses the next language on each page. Catalogues without a text do not compile, so this looks for
 * texts outside the catalogues. `SCREENSHOTS=<folder>` saves screenshots of all pages.
 */

interface Visited {
  readonly language: string | null;
  readonly texts: readonly string[];
  readonly overflow: number;
  readonly weight: number;
}

interface Tour {
  readonly pages: ReadonlyMap<string, Visited>;
  readonly faults: readonly string[];
}

const maxBytes = 50_000;
const otherLanguages = ['de', 'fr', 'es'] as const;

let english: Tour;
let others: Tour;

beforeAll(async () => {
  [english, others] = await Promise.all([tour({ languages: ['en'] }), tour({ languages: otherLanguages })]);
});

async function tour({ languages }: { readonly languages: readonly string[] }): Promise<Tour> {
  await using browser = await connectBrowser({ width: narrowWidth });
  const { page, context } = browser;
  const pages = new Map<string, Visited>();
  const setLanguage = async (index: number) => {
    const value = languages[index % languages.length] ?? '';
    await context.addCookies([{ name: 'linnet_language', value, url: inject('service').baseUrl }]);
  };
  await setLanguage(0);
  await tourEveryPage(browser, async (name) => {
    pages.set(name, await measurePage(browser));
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await takeScreenshots(page, folder, `${String(pages.get(name)?.language)}-${name}`);
    await setLanguage(pages.size);
  });
  return { pages, faults: browser.faults };
}

async function measurePage(browser: OpenBrowser): Promise<Visited> {
  const { page } = browser;
  return {
    language: await page.locator('html').getAttribute('lang'),
    texts: await readTexts(page),
    weight: await measureWeight(browser),
    overflow: await measureOverflow(page),
  };
}

/** What `pick` finds on the pages, with the name of the page. */
function collect(tours: readonly Tour[], pick: (visited: Visited) => readonly string[]): readonly string[] {
  return tours.flatMap(({ pages }) =>
    [...pages].flatMap(([name, visited]) => pick(visited).map((one) => `${String(visited.language)} ${name}: ${one}`)),
  );
}

test('both tours visit the same pages, and no two pages are equal', () => {
  expect([...others.pages.keys()]).toEqual([...english.pages.keys()]);
  const names = Map.groupBy(english.pages.keys(), (name) => english.pages.get(name)?.texts.join('\n'));
  expect([...names.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test('no page contacts another origin, violates its policy or logs an error', () => {
  expect([english, others].flatMap(({ faults }) => faults)).toEqual([]);
});

test('each page weighs less than 50 KB with all assets', () => {
  const isWrong = ({ weight }: Visited) => weight < 1000 || weight >= maxBytes;
  expect(collect([english, others], (visited) => (isWrong(visited) ? [String(visited.weight)] : []))).toEqual([]);
});

test('nothing scrolls sideways at 320 pixels', () => {
  expect(collect([english, others], ({ overflow }) => (overflow > 0 ? [`${String(overflow)} pixels`] : []))).toEqual(
    [],
  );
});

/** The same in every language. "Playground" is the name of a secret. */
const names = [...enteredNames, 'Playground', 'Linnet', 'English', 'Deutsch', 'Français', 'Español'];

function hasOtherWords(text: string): boolean {
  return /\p{L}{2}/u.test(names.reduce((rest, name) => rest.replaceAll(name, ''), text));
}

test('each page is in the requested language', () => {
  expect(new Set([...english.pages.values()].map(({ language }) => language))).toEqual(new Set(['en']));
  const requested = [...others.pages.keys()].map((_page, index) => otherLanguages[index % otherLanguages.length]);
  expect([...others.pages.values()].map(({ language }) => language)).toEqual(requested);
});

test('no English text remains on translated pages', () => {
  const inEnglish = new Set([...english.pages.values()].flatMap(({ texts }) => texts));
  expect(inEnglish.size).toBeGreaterThan(100);
  // Some texts are the same in both catalogues; titles end with the name of the service.
  const own = new Map<string | null, ReadonlySet<string>>(otherLanguages.map((one) => [one, textsIn(one)]));
  const untranslated = collect([others], ({ language, texts }) =>
    texts.filter(
      (text) =>
        inEnglish.has(text) && hasOtherWords(text) && own.get(language)?.has(text.replace(/ · Linnet$/, '')) !== true,
    ),
  );
  expect(untranslated).toEqual([]);
});
