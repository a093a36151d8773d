import { describe, expect, test } from 'vitest';

import { findNameTextProblem, isPrintableText } from './name-text.ts';

const honest = [
  'Ada Lovelace',
  "Siobhán O'Connor-Núñez",
  'Nguyễn Thị Minh Khai',
  'Анна Каренина',
  'Ελένη Παπαδοπούλου',
  '山田 太郎',
  'ヤマダ電機 Online',
  '김민준 Kim',
  '李小龙 ㄅㄆㄇ',
  'محمد علي',
  'می‌خواهم',
  'क्षत्रिय App',
  'क्‍ष',
  'শ্রাব‌্য',
  'ශ්‍රී',
  'שלום World',
  'Family 👨‍👩‍👧‍👦',
  'England 🏴󠁧󠁢󠁥󠁮󠁧󠁿 fans',
  'I ❤️ birds ☂︎',
  '葛󠄀城',
  'C++ & C#',
  '0xDEADBEEF',
  '100 % µTorrent 5 Ω'.replace('Ω', 'ohm'),
  'ᚠᚢᚦ',
];

test.each(honest)('the name "%s" is accepted', (name) => {
  expect(findNameTextProblem(name)).toBeUndefined();
});

describe('names are rejected for', () => {
  const rejected: Readonly<Record<string, readonly string[]>> = {
    unprintable: [
      '',
      ' ',
      '\u00A0\u3000',
      '\u200B',
      'a\u200Bb',
      'a\u00ADb',
      '\u2060',
      '\uFEFFAda',
      '\u3164',
      '\u115F\u1160',
      '\u2800',
      'Ada\u202Eadmin',
      'Ada\u2066x\u2069',
      '\u200EAda',
      'Ada\u061C',
      'Ada\nLovelace',
      'Ada\r',
      'Ada\u2028x',
      'Ada\u2029x',
      'Ada\u0085x',
      '\u001B[31mAda',
      'Ada\u009B31m',
      'Ada\u0000',
      'Ada\u007F',
      'Ada\uD800',
      'Ada\uE000',
      'Ada\uFFFF',
      'Ada\uFFFC',
      'Ada\u{E0041}\u{E0042}',
      '1\u200D',
      'Ada\u200D',
      'Ada\u200CLovelace',
      'Е\u200Dва',
      '山\u200D田',
      '\u034F',
    ],
    'mixed-scripts': ['Lіnnet', 'раypal', 'Αpple', 'Ωmega', 'ПetrоBank', 'Ада Lovelace', 'Ᏼob', 'яαn', '山田Иван'],
    badge: ['Linnet ✔', '✔️ Ada', 'Ada ✅', 'Ada☑', 'Ada ✓', 'ꪜ', 'Ada √', 'Ada 🛡️', 'Ada 🏵'],
  };
  for (const [problem, names] of Object.entries(rejected)) {
    test.each(names.map((name) => [JSON.stringify(name), name]))(`${problem}: %s`, (_title, name) => {
      expect(findNameTextProblem(name)).toBe(problem);
    });
  }
});

const formatCharacters = Array.from({ length: 0x1_00_00 }, (_none, code) => String.fromCodePoint(code)).filter(
  (character) => /[\p{Bidi_Control}\p{Join_Control}\p{Variation_Selector}\u00AD\u200B\u2060\uFEFF]/u.test(character),
);

test('a description may be empty and have line breaks, marks of direction and joiners, but no other invisible characters', () => {
  expect(['', 'one\ntwo', 'one\r\ntwo\tthree', 'Привет world 👨‍👩‍👧‍👦 ✔'].map(isPrintableText)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(formatCharacters.filter((character) => !isPrintableText(`a${character}b`))).toEqual([]);
  for (const text of ['\u001B[2J', 'a\u2028b', 'a\u2800', 'a\uFFFC', 'a\u3164', 'a\u{E0041}', 'a\u{E0001}', '\uE000']) {
    expect([text, isPrintableText(text)]).toEqual([text, false]);
  }
});
