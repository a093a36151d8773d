import { expect, test } from 'vitest';

import { findLanguage, negotiateLanguage } from './languages.ts';

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['FR_ca', 'fr'],
  ['it', undefined],
  ['', undefined],
  ['constructor', undefined],
])('the tag %j selects %s', (tag, language) => {
  expect(findLanguage(tag)).toBe(language);
});

test('falls back to English when no supported language is accepted', () => {
  expect(negotiateLanguage({ acceptsLanguages: () => 'es' })).toBe('es');
  expect(negotiateLanguage({ acceptsLanguages: () => false })).toBe('en');
});
