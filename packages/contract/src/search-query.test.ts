import { expect, test } from 'vitest';

import { parseSearchQuery, searchQueryParameter } from './search-query.ts';

const nothing = { phrases: [], excluded: [], author: undefined, since: undefined, before: undefined, hasMedia: false };

test.each([
  ['hello World', { phrases: ['hello', 'World'] }],
  ['"two words" three', { phrases: ['two words', 'three'] }],
  ['“two words” «and more', { phrases: ['two words', 'and more'] }],
  ['bird -cage -"in a cage"', { phrases: ['bird'], excluded: ['cage', 'in a cage'] }],
  ['well-known - !?', { phrases: ['well-known'] }],
  ['from:@ada_lovelace', { author: 'ada_lovelace' }],
  ['FROM:Ada_Lovelace has:MEDIA x', { author: 'Ada_Lovelace', hasMedia: true, phrases: ['x'] }],
  [
    'x since:2026-02-01 until:2026-02-28',
    { phrases: ['x'], since: Date.UTC(2026, 1, 1), before: Date.UTC(2026, 2, 1) },
  ],
  ['"from:ada_lovelace" other:thing', { phrases: ['from:ada_lovelace', 'other:thing'] }],
])('reads %j', (text, expected) => {
  expect(parseSearchQuery(text)).toEqual({ ...nothing, ...expected });
});

test.each([
  ['', 'must have a word, a phrase, from: or has:media'],
  ['!? -word since:2026-01-01', 'must have a word, a phrase, from: or has:media'],
  ['x from:', 'has from: without a username'],
  ['x from:a-b', 'has from: without a username'],
  ['x has:likes', 'has has: without media'],
  ['x since:2026-02-30', 'has since: without a date such as 2026-11-20'],
  ['x until:yesterday', 'has until: without a date such as 2026-11-20'],
  ['x -from:ada_lovelace', 'can exclude only words and phrases'],
  ['x '.repeat(21), 'must have at most 20 words and phrases'],
])('rejects %j', (text, problem) => {
  expect(parseSearchQuery(text)).toBe(problem);
  expect(searchQueryParameter().safeParse(text).error?.issues[0]?.message).toBe(problem);
});

test('a long text is rejected before it is read', () => {
  const { error } = searchQueryParameter().safeParse('x'.repeat(201));
  expect(error?.issues.map(({ message }) => message)).toEqual(['must be at most 200 characters long']);
});
