import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { decisionsOf, idsInTitles, titlesIn } from './decisions.ts';
import { readRepository } from './repository-files.ts';

/** Every entry in `docs/api/spec-decisions.md` states its decision, and the title of a test carries its id. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const decisions = decisionsOf(readFileSync(`${root}docs/api/spec-decisions.md`, 'utf8'));
const tested = idsInTitles(
  [...readRepository(root, ['.ts', '.tsx'])]
    .filter(([path]) => /\.test\.tsx?$/u.test(path) && !path.startsWith('test/architecture/'))
    .map(([, text]) => text),
);

test('the document has all decisions, each with its own id', () => {
  const ids = decisions.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(130);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(decisions)('$id', ({ id, decision }) => {
  test('states the decision', () => {
    expect(decision).not.toBe('');
  });

  test('a title of a test carries the id', () => {
    expect(tested).toContain(id);
  });
});

test('reads entries, test titles and the ids in them', () => {
  const entry = [
    '## Group',
    '### D1. Title',
    '- **Gap:** a gap',
    '- **Decision:** yes',
    '  in two lines',
    '- **Reason:** why',
  ];
  expect(decisionsOf([...entry, '', '### D2. Empty', '## Another group'].join('\n'))).toEqual([
    { id: 'D1', decision: 'yes\n  in two lines' },
    { id: 'D2', decision: '' },
  ]);
  const source =
    "// D3\ntest('D1 Details 4 one', f);\ntest.each([1])(\n  'two %i',\n  f);\nconst rows = {\n  'D5 three': g };\nsend('D6', x);\nexpect(x).toBe(y, 'no');";
  expect([...titlesIn(source)]).toEqual(['D1 Details 4 one', 'two %i', 'D5 three']);
  expect([...idsInTitles([source])]).toEqual(['D1', 'Details 4', 'D5']);
});
