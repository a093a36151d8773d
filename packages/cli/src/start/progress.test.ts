import { expect, test } from 'vitest';

import { createProgress } from './progress.ts';

function linesOf(isTTY: boolean): readonly string[] {
  const lines: string[] = [];
  const progress = createProgress({ isTTY, write: (line) => lines.push(line) });
  progress('postgres');
  progress('migrations');
  progress('workers');
  return lines;
}

test('a terminal gets a line per step, and a program none', () => {
  expect(linesOf(true)).toEqual([
    'Starting the embedded PostgreSQL …\n',
    'Checking and applying migrations …\n',
    'Starting the workers …\n',
  ]);
  expect(linesOf(false)).toEqual([]);
});
