import { expect, test } from 'vitest';

import { toNameKey, toNameKeys, toSkeleton } from './skeleton.ts';

// UTS 39 §4, its data file, and the examples of Unicode's confusables utility.
const pairs: readonly (readonly [string, string])[] = [
  ['paypal', 'раураl'],
  ['scope', 'ѕсоре'],
  ['rn', 'm'],
  ['l', '1'],
  ['I', 'l'],
  ['O', '0'],
  ['Αpple', 'Apple'],
  ['Lіnnet', 'Linnet'],
  ['ſ', 'f'],
  ['w', 'ԝ'],
  ['ꞵ', 'ß'],
  ['pa\u200Bypal', 'paypal'],
];

test.each(pairs)('"%s" and "%s" have the same skeleton', (one, other) => {
  expect(toSkeleton(one)).toBe(toSkeleton(other));
});

test('the skeleton of a skeleton is the same, for every character', { timeout: 60_000 }, () => {
  const changed: string[] = [];
  for (let codePoint = 0x20; codePoint < 0x3_2000; codePoint += 1) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const character = String.fromCodePoint(codePoint);
    const skeleton = toSkeleton(`a${character}`);
    if (toSkeleton(skeleton) !== skeleton) changed.push(character);
    const key = toNameKey(character);
    if (toNameKey(key) !== key) changed.push(character);
  }
  expect(changed).toEqual([]);
});

test.each([
  'Linnet',
  'LINNET',
  'Iinnet',
  'L1nnet',
  'Lіnnet',
  '𝐋𝐢𝐧𝐧𝐞𝐭',
  'ʟɪɴɴᴇᴛ',
  'Ⓛⓘⓝⓝⓔⓣ',
  'Línnet',
  'li-nn et',
  '|innet',
  'Łinnet',
  'Linnet ⭐',
  'L1nn3t',
  'Linne7',
])('one of the keys of "%s" is that of the service', (name) => {
  expect(toNameKeys(name)).toContain(toNameKey('linnet'));
});

test('different names have different keys', () => {
  const names = ['Ada', 'Grace', 'Alan', 'Анна', 'Елена', '山田', '山口', '김민준', 'علي', 'Lin', 'Net'];
  expect(new Set(names.map(toNameKey)).size).toBe(names.length);
});

test('a name of the greatest length has its key within the time of a request', () => {
  expect(toNameKey('ﷺ'.repeat(60)).length).toBeLessThan(2000);
});
