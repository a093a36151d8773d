import { expect, test } from 'vitest';

import { toList, toTable } from './output.ts';

test('columns are as wide as their widest cell', () => {
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

test('a table without rows shows its headings', () => {
  expect(toTable(['id', 'name'], [])).toBe('id  name');
});

test('the values of a list are aligned', () => {
  expect(
    toList([
      ['id', '1'],
      ['username', 'ada'],
    ]),
  ).toBe('id:       1\nusername: ada');
});
