import { expect, test } from 'vitest';

import { readCsv, toCsv } from './csv.ts';

test.each<readonly [text: string, records: readonly (readonly string[])[]]>([
  ['', []],
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    '\uFEFFa,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,\n,b',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a\n\n\nb\n', [['a'], ['b']]],
  ['"a,b","c ""d"""', [['a,b', 'c "d"']]],
  ['"a\nb",c', [['a\nb', 'c']]],
  ['"a', [['"a']]],
  ['a,"b"c,d', [['a', '"b"c,d']]],
])('%j', (text, records) => {
  expect(readCsv(text).map(({ fields }) => fields)).toEqual(records);
});

test('a record has the number of its first line', () => {
  expect(readCsv('a\n\n"b\nc"\nd').map(({ line }) => line)).toEqual([1, 3, 5]);
});

test('what is written is read back', () => {
  const records = [['plain', 'a "quoted" word', 'one, two', 'two\nlines', '']];
  expect(readCsv(toCsv(records)).map(({ fields }) => fields)).toEqual(records);
});
