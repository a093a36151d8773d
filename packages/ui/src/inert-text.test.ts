import { expect, test } from 'vitest';

import { inertText, printableLines, printableText } from './inert-text.ts';

test.each([
  ['Weather Bird', 'Weather Bird'],
  ['safe\u202Egnp.exe', 'safegnp.exe'],
  ['\u200E\u200F\u061C\u2066a\u2069', 'a'],
  ['a\r\nb\0c\u0085d\u2028e\u2029f', 'abcdef'],
  ['Familie \u{1F468}\u200D\u{1F469}', 'Familie \u{1F468}\u200D\u{1F469}'],
])('%j is shown as %j', (text, shown) => {
  expect(printableText(text)).toBe(shown);
  expect(inertText(text)).toBe(shown);
});

test.each(['شركة', 'שלום Ltd', '𞤀𞤁', 'a ߊߞߏ'])(
  'inertText isolates %s, which has letters from right to left',
  (text) => {
    expect(printableText(text)).toBe(text);
    expect(inertText(`\u202E${text}`)).toBe(`\u2068${text}\u2069`);
  },
);

test('printableLines keeps marks of direction, and no characters that reorder others', () => {
  expect(printableLines('שלום!\u200F\n\u202Ea\u200E\t\u2067b\u061C\0')).toBe('שלום!\u200F\na\u200E b\u061C');
});

test('inertText truncates text to 120 code points', () => {
  expect(inertText('\u{1F426}'.repeat(120))).toBe('\u{1F426}'.repeat(120));
  expect(inertText('\u{1F426}'.repeat(121))).toBe(`${'\u{1F426}'.repeat(119)}…`);
});
