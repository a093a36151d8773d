import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { languages } from '@linnet/contract/languages';
import { findHardCodedText } from '@linnet/test/ui/hard-coded-text';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';

import { samplePages } from '@linnet/test/api/sample-pages';
import { pageTexts } from './page-texts.ts';
import type { PageTexts } from './page-texts.ts';

/** Every text by name; functions are called with sample arguments. */
function textsIn(texts: PageTexts): ReadonlyMap<string, string> {
  const words = ['⟨first⟩', '⟨second⟩'];
  const called = Object.entries(texts).map(([key, value]): [string, string] => {
    if (typeof value === 'string') return [key, value];
    const given = { formatMinute: [new Date(0)], formatCount: [2] }[key] ?? words.slice(0, value.length);
    return [key, String(Reflect.apply(value, undefined, given))];
  });
  return new Map(called);
}

/** Texts that equal the English ones. */
const alike: Readonly<Record<Exclude<keyof typeof pageTexts, 'en'>, readonly string[]>> = {
  de: ['formatCount', 'status'],
  fr: ['formatCount', 'guides', 'contact'],
  es: ['formatCount'],
};

describe.each(languages.filter((language) => language !== 'en'))('the texts of public pages (%s)', (language) => {
  const english = textsIn(pageTexts.en);
  const translated = textsIn(pageTexts[language]);

  test('are translated, and none is blank', () => {
    expect([...english.keys()].filter((key) => english.get(key) === translated.get(key))).toEqual(alike[language]);
    expect([...translated].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('contain their arguments', () => {
    const marksIn = (text = '') => (text.match(/⟨\w+⟩/g) ?? []).toSorted();
    for (const [key, text] of english) expect([key, marksIn(translated.get(key))]).toEqual([key, marksIn(text)]);
  });
});

const name = 'Ada Lovelace';

/** Data that is the same in every language. */
const data = [
  '@ada_lovelace',
  name,
  '#looms',
  'https://app.example.com/a',
  'Linnet',
  ...languages.map((language) => pageTexts[language].languageName),
];

test.each(Object.entries(samplePages('en', name)))(
  '%s: links the documentation and what the operator has set',
  (_page, page) => {
    const html = renderToString(page);
    const links = ['/developers', 'mailto:hello@linnet.example', 'http://localhost:3000/terms'];
    for (const href of links) expect(html).toContain(`href="${href}"`);
  },
);

test.each(Object.entries(samplePages('marked', name)))('%s: every word is from the catalogue', (_page, page) => {
  const pieces = findHardCodedText(renderToString(page)).map((piece) =>
    data.reduce((rest, one) => rest.replaceAll(one, ''), piece),
  );
  expect(pieces.filter((piece) => /\p{L}/u.test(piece))).toEqual([]);
});

test('every public page has a sample', () => {
  const samples = readFileSync(join(import.meta.dirname, '../../../../test/support/api/sample-pages.ts'), 'utf8');
  const pages = globSync('*-page.tsx', { cwd: import.meta.dirname });
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.filter((page) => !samples.includes(basename(page)))).toEqual([]);
});
