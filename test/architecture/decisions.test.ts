import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { decidedIn, linksOf, namesIn } from './decisions.ts';

/** Every decision of the record leads to code and to tests that are there (`docs/spec-decisions.md`). */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const links = linksOf(read('docs/spec-decisions.md'));

test('each decision of the record has one row, and no row is of anything else', () => {
  const decided = decidedIn(read('docs/decisions-of-the-specification.md'));
  expect(decided.length).toBeGreaterThan(60);
  expect(links.map(({ id }) => id)).toEqual(decided);
});

describe.each(links)('$id', ({ code, tests }) => {
  test('is held by code that is there', () => {
    expect(code.length).toBeGreaterThan(0);
    expect(code.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('is proved by tests that are there under these names', () => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { file, names } of tests) {
      expect(names, file).not.toEqual([]);
      const known = namesIn(read(file));
      expect(
        names.filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
  });
});

test('a decision, a file and a name that are not there are seen', () => {
  expect(decidedIn('| D1 | a | b |\n| — | feed | c |\n## Details of the API\n1. x\n2. y\n')).toEqual([
    'D1',
    'feed',
    'Details 1',
    'Details 2',
  ]);
  expect(linksOf('| D1 | about | `a.ts`, `b` | `c.test.ts` “one”, “two”; `d.test.ts` “three” |')).toEqual([
    {
      id: 'D1',
      code: ['a.ts', 'b'],
      tests: [
        { file: 'c.test.ts', names: ['one', 'two'] },
        { file: 'd.test.ts', names: ['three'] },
      ],
    },
  ]);
  const source =
    "test('one', f);\ntest.each([1])(\n  'two %i',\n  f);\nconst rows = {\n  'three': g };\nsend('no', x);\nexpect(x).toBe(y, 'no');";
  expect([...namesIn(source)]).toEqual(['one', 'two %i', 'three']);
});
