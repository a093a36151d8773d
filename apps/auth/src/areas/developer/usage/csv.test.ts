import { expect, test } from 'vitest';

import { toCsv } from './usage-file.ts';

test('separates cells by commas and rows by CRLF, and quotes what contains either', () => {
  expect(
    toCsv([
      ['a', 1],
      ['b,c', -2],
      ['d"e', 0],
      ['f\r\ng', 3],
    ]),
  ).toBe('a,1\r\n"b,c",-2\r\n"d""e",0\r\n"f\r\ng",3\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "=cmd|' /C calc'!A0"])('%j is text, not a formula', (text) => {
  expect(toCsv([[text]])).toBe(`'${text}\r\n`);
});

test('a carriage return before a formula does not hide it', () => {
  expect(toCsv([['\r=1']])).toBe(`"'\r=1"\r\n`);
});
