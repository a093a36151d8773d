import { WriteStream } from 'node:tty';

import { expect, test } from 'vitest';

import { paint, toList, toTable } from './output.ts';

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

test('only a terminal that shows colours gets them', () => {
  expect(paint({ hasColors: () => true }, 'red', 'no')).toBe('\u001B[31mno\u001B[39m');
  expect(paint({ hasColors: () => false }, 'red', 'no')).toBe('no');
  expect(paint({}, 'red', 'no')).toBe('no');
});

test('the terminals of Node respect NO_COLOR and TERM=dumb', () => {
  const depth = (env: NodeJS.ProcessEnv) => WriteStream.prototype.getColorDepth(env);
  expect(depth({ TERM: 'xterm-256color' })).toBeGreaterThan(1);
  for (const env of [{ TERM: 'xterm-256color', NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(depth(env)).toBe(1);
});
