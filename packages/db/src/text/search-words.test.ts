import { expect, test } from 'vitest';

import { toNameSearch, toSearchPhrase, toSearchVector } from './search-words.ts';

test.each([
  ['Hello, WORLD! hello', `'hello':1 'world':2 'hello':3`],
  ['Crème brûlée in Zürich', `'creme':1 'brulee':2 'in':3 'zurich':4`],
  ['STRASSE Straße ｓｔｒａｓｓｅ', `'strasse':1 'strasse':2 'strasse':3`],
  ['Σίσυφος ΣΊΣΥΦΟΣ', `'σισυφοσ':1 'σισυφοσ':2`],
  ['don’t @ada_lovelace #Linnet', `'don':1 't':2 'ada_lovelace':3 'linnet':4`],
  ['三毛猫 and ｶﾀｶﾅ', `'三毛':1 '毛猫':2 '猫':3 'and':4 'カタ':5 'タカ':6 'カナ':7 'ナ':8`],
  ['v2三猫x', `'v2':1 '三猫':2 '猫':3 'x':4`],
  ['हिन्दी', `'हिन्दी':1`],
  ['ŁÓDŹ Đorđe Ǿre Straße', `'lodz':1 'dorde':2 'ore':3 'strasse':4`],
  ['Œuvre, Ægir, Þór, Guðrún, ısparta', `'oeuvre':1 'aegir':2 'thor':3 'gudrun':4 'isparta':5`],
  ['שָׁלוֹם שלום', `'שלום':1 'שלום':2`],
  ['مُحَمَّد محمد مـحـمـد أحمد احمد', `'محمد':1 'محمد':2 'محمد':3 'احمد':4 'احمد':5`],
  ["' \\ & | ! <-> :* --", ''],
  ['', ''],
])('the words of %j', (text, expected) => {
  expect(toSearchVector(text, false)).toBe(expected);
});

test('a post with media has a word that no text has', () => {
  expect(toSearchVector('has:media', true)).toBe(`'has':1 'media':2 'has:media'`);
  expect(toSearchVector('', true)).toBe(`'has:media'`);
});

test.each([
  ['Hello', `('hello')`],
  ['hello, world', `('hello' <1> 'world')`],
  ['三毛猫', `('三毛' <1> '毛猫')`],
  ['猫', `('猫':*)`],
  ['三毛猫 x', `('三毛' <1> '毛猫' <2> 'x')`],
  ['กาแฟ', `('กา' <1> 'าแ' <1> 'แฟ')`],
  ['!?', undefined],
])('the phrase %j', (text, expected) => {
  expect(toSearchPhrase(text)).toBe(expected);
});

test('long words are cut, and texts that unfold to very many characters are bounded', () => {
  expect(toSearchVector('x'.repeat(400), false)).toBe(`'${'x'.repeat(100)}':1`);
  expect(toSearchVector('\uFDFA'.repeat(400), false).split(' ').length).toBeLessThanOrEqual(1000);
});

test.each([
  ['Ada lov', `'ada':* & 'lov':*`, 'none'],
  ['@Ada_L', `'@ada_l':*`, 'ada_l'],
  ['ada_lovelace', `'ada_lovelace':*`, 'ada_lovelace'],
  ['三毛猫', `'三毛' & '毛猫'`, 'none'],
  ['猫', `'猫':*`, 'none'],
  ["' \\ & | ! <-> :* --", '', 'none'],
])('the search for names %j', (text, words, username) => {
  expect(toNameSearch(text)).toMatchObject({ words, username: username === 'none' ? '' : username });
});

test('words of four or more characters may have a typing error', () => {
  const { similar } = toNameSearch('adm hops');
  expect(similar).toBe(`('adm':*) & ('hops':* | '~hops' | '~ops' | '~hps' | '~hos' | '~hop')`);
});
