import { expect, test } from 'vitest';

import { toList, toTable } from './output.ts';

test('a table is as wide as its widest cells', () => {
  expect(
    toTable(
      ['id', 'name'],
      [
        ['a-long-id', 'x'],
        ['b', 'a long name'],
      ],
    ),
  ).toBe(['id         name', 'a-long-id  x', 'b          a long name'].join('\n'));
});

test('a table without rows is its headings', () => {
  expect(toTable(['id', 'name'], [])).toBe('id  name');
});

test('the values of a list stand below each other', () => {
  expect(
    toList([
      ['id', '1'],
      ['username', 'ada'],
    ]),
  ).toBe('id:       1\nusername: ada');
});
