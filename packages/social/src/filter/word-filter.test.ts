import { expect, test } from 'vitest';

import { createWordFilter } from './word-filter.ts';

const [reader, author] = [1, 2];

test.each([
  ['Spoiler', 'word', 'A spoiler!', true],
  ['spoiler', 'word', '#SPOILER', true],
  ['spoiler', 'word', 'spoilers', false],
  ['spoil', 'part', 'spoilers', true],
  ['oile', 'part', 'spoilers', true],
  ['season end', 'word', 'The season: end of it', true],
  ['season end', 'word', 'The season ended', false],
  ['season end', 'part', 'Preseason ended', true],
  ['end season', 'word', 'season end', false],
  ['@ada_lovelace', 'word', 'by @Ada_Lovelace.', true],
  ['cafe', 'word', 'Le CAFÉ', true],
  ['Ｃａｆé', 'word', 'cafe\u0301', true],
  ['猫', 'word', '三毛猫がいる', true],
  ['毛猫が', 'word', '三毛猫がいる', true],
  ['кот', 'word', 'Кот и пёс', true],
  ['кот', 'word', 'который', false],
  ['don’t', 'word', "DON'T", true],
])('the filter %j (%s) and the text %j: %s', (filter, match, text, isFound) => {
  const find = createWordFilter(JSON.stringify([reader, [[filter, match === 'part']]]));
  expect(find({ text, authorId: author })).toEqual(isFound ? [filter] : []);
  expect(find({ text, authorId: reader })).toEqual([]);
});

test('returns every filter that matches, and none without filters', () => {
  const filters = JSON.stringify([reader, ['Red', 'blue', 'green'].map((text) => [text, false])]);
  expect(createWordFilter(filters)({ text: 'green, red', authorId: author })).toEqual(['Red', 'green']);
  expect(createWordFilter(null)({ text: 'green, red', authorId: author })).toEqual([]);
});
