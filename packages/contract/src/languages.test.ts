import { expect, test } from 'vitest';

import { findLanguage, negotiateLanguage } from './languages.ts';

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE_ch', 'de'],
  ['en-GB', 'en'],
  ['fr-CA', 'fr'],
  ['es-419', 'es'],
  ['deu', undefined],
  ['it', undefined],
  ['', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
])('the tag %j selects %s', (tag, language) => {
  expect(findLanguage(tag)).toBe(language);
});

test('falls back to English when no supported language is accepted', () => {
  expect(negotiateLanguage({ acceptsLanguages: () => 'es' })).toBe('es');
  expect(negotiateLanguage({ acceptsLanguages: () => false })).toBe('en');
});
