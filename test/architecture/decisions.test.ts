import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { decisionsOf, titlesIn } from './decisions.ts';

/** Every decision in `docs/spec-decisions.md` is complete and names code and tests that exist. */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const decisions = decisionsOf(read('docs/spec-decisions.md'));

test('the document has all decisions, each with its own id', () => {
  const ids = decisions.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(65);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(decisions)('$id', ({ gap, decision, reason, code, tests }) => {
  test('states the gap, the decision and the reason', () => {
    expect([gap, decision, reason]).not.toContain('');
  });

  test('names code that exists', () => {
    expect(code.length).toBeGreaterThan(0);
    expect(code.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('names tests that exist', () => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { file, titles } of tests) {
      expect(titles, file).not.toEqual([]);
      const known = titlesIn(read(file));
      expect(
        titles.filter((title) => !known.has(title)),
        file,
      ).toEqual([]);
    }
  });
});

test('reads entries and test titles', () => {
  const entry = [
    '## Group',
    '### D1. Title',
    '- **Gap:** a gap',
    '  of two lines',
    '- **Decision:** yes',
    '- **Reason:** why',
    '- **Code:** `a.ts`, `b`',
    '- **Tests:**',
    '  - `c.test.ts`: “one”, “two”',
    '  - `d.test.ts`: “three”',
    '',
  ];
  const [first, second] = decisionsOf([...entry, '### D2. Empty', '## Another group'].join('\n'));
  expect(first).toEqual({
    id: 'D1',
    gap: 'a gap\n  of two lines',
    decision: 'yes',
    reason: 'why',
    code: ['a.ts', 'b'],
    tests: [
      { file: 'c.test.ts', titles: ['one', 'two'] },
      { file: 'd.test.ts', titles: ['three'] },
    ],
  });
  expect(second).toEqual({ id: 'D2', gap: '', decision: '', reason: '', code: [], tests: [] });
  const source =
    "test('one', f);\ntest.each([1])(\n  'two %i',\n  f);\nconst rows = {\n  'three': g };\nsend('no', x);\nexpect(x).toBe(y, 'no');";
  expect([...titlesIn(source)]).toEqual(['one', 'two %i', 'three']);
});
