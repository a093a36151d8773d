import { describe, expect, test } from 'vitest';

import { catalogues, findLanguage, languages } from './messages.ts';

/** Every text by its path; functions are called with words that the text has to hold. */
function textsOf(value: unknown, path: string): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const words = path.startsWith('format') ? [new Date(0)] : ['⟨first⟩', '⟨second⟩'].slice(0, value.length);
    const text: unknown = Reflect.apply(value, undefined, words);
    return [[path, [text].flat(9).join('')]];
  }
  if (typeof value !== 'object' || value === null) throw new TypeError(`${path} is no text`);
  return Object.entries(value).flatMap(([key, one]) => textsOf(one, path === '' ? key : `${path}.${key}`));
}

const english = new Map(textsOf(catalogues.en, ''));
const german = new Map(textsOf(catalogues.de, ''));
/** The same in both languages. */
const alike = new Set([
  'developer.form.name',
  'developer.form.errors.redirectUri',
  'developer.usage.bar',
  'formatNumber',
  'account.overviewPage.name',
  'factors.newPasskey.name',
  'factors.security.passkeys',
  'device.userCode',
]);

describe('the catalogues', () => {
  test('have the same texts', () => {
    expect([...german.keys()]).toEqual([...english.keys()]);
  });

  test.each(languages)('have no blank text (%s)', (language) => {
    for (const [path, text] of textsOf(catalogues[language], '')) expect([path, text.trim()]).not.toEqual([path, '']);
  });

  test('are translated', () => {
    const same = [...english.keys()].filter((path) => english.get(path) === german.get(path));
    expect(new Set(same)).toEqual(alike);
  });

  test('use what is put into them', () => {
    for (const [path, text] of english) {
      const marks = (one: string) => (one.match(/⟨\w+⟩/g) ?? []).toSorted();
      expect([path, marks(german.get(path) ?? '')]).toEqual([path, marks(text)]);
    }
  });

  test('count', () => {
    expect([1, 2].map(catalogues.en.form.problems)).toEqual([
      'Something needs your attention',
      '2 things need your attention',
    ]);
    expect([1, 2].map(catalogues.de.form.problems)).toEqual([
      'Eine Angabe stimmt noch nicht',
      '2 Angaben stimmen noch nicht',
    ]);
  });

  test('tell days and minutes in UTC', () => {
    const date = new Date('2026-11-20T23:04:00Z');
    expect(catalogues.en.formatDay(date)).toBe('November 20, 2026');
    expect(catalogues.de.formatDay(date)).toBe('20. November 2026');
    expect(catalogues.en.formatMinute(date).replace(/\s/g, ' ')).toBe('Nov 20, 2026, 11:04 PM UTC');
    expect(catalogues.de.formatMinute(date)).toBe('20.11.2026, 23:04 UTC');
  });
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE_ch', 'de'],
  ['en-GB', 'en'],
  ['deu', undefined],
  ['', undefined],
  ['fr', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
])('the tag %j asks for %s', (tag, language) => {
  expect(findLanguage(tag)).toBe(language);
});
