import { expect, test } from 'vitest';

import { foldCase } from './search-words.ts';

test.each([
  ['Linnet', 'LINNET'],
  ['ｌｉｎｎｅｔ', 'linnet'],
  ['STRASSE', 'straße'],
  ['STRAẞE', 'straße'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['Zu\u0308rich', 'ZÜRICH'],
])('%s and %s fold to the same', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other));
  expect(foldCase(foldCase(one))).toBe(foldCase(one));
});

test('letters that only look alike stay different', () => {
  expect(foldCase('ıstanbul')).not.toBe(foldCase('istanbul'));
});
