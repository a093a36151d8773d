import { expect, test } from 'vitest';

import { toTextParts } from './linked-text.ts';

test.each([
  ['plain', [['plain', 'plain']]],
  [
    '@alice_1, see #two https://example.org/#x.',
    [
      ['mention', '@alice_1'],
      ['plain', ', see '],
      ['hashtag', '#two'],
      ['plain', ' '],
      ['link', 'https://example.org/#x'],
      ['plain', '.'],
    ],
  ],
  [
    '#one#two #1 #one mail@alice_1',
    [
      ['hashtag', '#one'],
      ['plain', '#two #1 '],
      ['hashtag', '#one'],
      ['plain', ' mail@alice_1'],
    ],
  ],
  ['javascript:alert(1) <b>&amp;', [['plain', 'javascript:alert(1) <b>&amp;']]],
])('splits %j into its parts', (text, parts) => {
  expect(toTextParts(text).map((part) => [part.kind, part.text])).toEqual(parts);
});

test.each(['👩‍👩‍👧 #größe💙 @alice_1😀https://example.org/😀 end', '#', '@', ' \n '])(
  'the parts of %j add up to the text',
  (text) => {
    expect(
      toTextParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  },
);
