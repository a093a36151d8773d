import { expect, test } from 'vitest';

import { inertText, printableText } from './inert-text.ts';

test.each([
  ['Weather Bird', 'Weather Bird'],
  ['safe\u202Egnp.exe', 'safegnp.exe'],
  ['\u200E\u200F\u061C\u2066a\u2069', 'a'],
  ['a\r\nb\0c\u0085d\u2028e\u2029f', 'abcdef'],
  ['Familie \u{1F468}\u200D\u{1F469}', 'Familie \u{1F468}\u200D\u{1F469}'],
  ['شركة', 'شركة'],
])('%j is shown as %j', (text, shown) => {
  expect(printableText(text)).toBe(shown);
  expect(inertText(text)).toBe(shown);
});

test('inertText truncates text to 120 code points', () => {
  expect(inertText('\u{1F426}'.repeat(120))).toBe('\u{1F426}'.repeat(120));
  expect(inertText('\u{1F426}'.repeat(121))).toBe(`${'\u{1F426}'.repeat(119)}…`);
});
