import { describe, expect, test } from 'vitest';

import { findBackwardArrows, findMutualPairs, groupModules, listArrows } from './measure-arrows.ts';
import type { Graph } from './measure-arrows.ts';
import { measureFile, quantile } from './measure-code.ts';
import { findDuplicates } from './measure-duplicates.ts';

describe('sizes', () => {
  const text = `/** A comment. */
import { one } from './one.ts';

// Another.
export function outer(): number {
  /* é 🙂 */ const inner = () => {
    return one;
  };
  return inner(); // not a comment line
}
export const short = () => 1;
`;

  test('counts lines, lines of comments and lines of functions', () => {
    expect(measureFile('a.ts', text)).toEqual({ lines: 11, commentLines: 2, functionLines: [6, 3] });
  });

  test('reads JSX', () => {
    expect(measureFile('a.tsx', `export const a = () => (\n  <p>{() => 1}</p>\n);\n`).functionLines).toEqual([3]);
  });

  test('rejects what cannot be parsed', () => {
    expect(() => measureFile('a.ts', 'const = 1;')).toThrow('a.ts: ');
  });

  test.each([
    [0.5, 3],
    [0.9, 5],
    [1, 5],
  ])('the quantile %d of five values', (share, value) => {
    expect(quantile([5, 1, 4, 2, 3], share)).toBe(value);
  });
});

describe('arrows', () => {
  const modules: Graph = new Map([
    ['a/1', new Set(['a/2', 'b/1', 'outside/1'])],
    ['b/1', new Set(['c/1'])],
    ['c/1', new Set(['b/2', 'd/1'])],
    ['d/1', new Set<string>()],
  ]);
  const rooms = groupModules(modules, (path) => (path.startsWith('outside') ? undefined : path[0]));

  test('join rooms whose modules import each other', () => {
    expect(listArrows(rooms)).toEqual([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ]);
  });

  test('on cycles are found', () => {
    expect(findBackwardArrows(rooms)).toEqual([
      ['b', 'c'],
      ['c', 'b'],
    ]);
    expect(findMutualPairs(rooms)).toEqual([['b', 'c']]);
    expect(findBackwardArrows(modules)).toEqual([]);
  });

  test('on a cycle of three rooms are found, without a mutual pair', () => {
    const graph: Graph = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['a'])],
    ]);
    expect(findBackwardArrows(graph)).toHaveLength(3);
    expect(findMutualPairs(graph)).toEqual([]);
  });
});

describe('duplicates', () => {
  const statements = Array.from(
    { length: 9 },
    (_, line) => `export const v${String(line)} = call(${String(line)}, 'x');`,
  );
  const imports = Array.from({ length: 20 }, (_, line) => `import { i${String(line)} } from './i${String(line)}.ts';`);

  test('are found in another file, without comments', async () => {
    const files = new Map([
      ['a.ts', statements.join('\n')],
      ['b.ts', `export const b = 1;\n// A comment.\n${statements.join('\n// Another.\n')}`],
    ]);
    expect(await findDuplicates(files)).toHaveLength(1);
  });

  test('do not include imports or short passages', async () => {
    const files = new Map([
      ['a.ts', [...imports, ...statements.slice(0, 4)].join('\n')],
      ['b.ts', [...imports, ...statements.slice(0, 4)].join('\n')],
    ]);
    expect(await findDuplicates(files)).toEqual([]);
  });
});
