import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { titlesIn } from './decisions.ts';

/** Every threat and accepted risk in `docs/evidence/threat-model.md` names tests that exist. */

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The rows of the tables whose last column is `test`. */
function rowsOf(document: string): readonly { readonly threat: string; readonly proof: string }[] {
  const tables = document.split('\n\n').filter((block) => /^\|[^\n]*\| test \|\n/u.test(block));
  return tables.flatMap((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => {
        const [threat = '', , proof = ''] = row
          .split('|')
          .slice(1)
          .map((cell) => cell.trim());
        return { threat, proof };
      }),
  );
}

const rows = rowsOf(read('docs/evidence/threat-model.md'));

test('the document has threats and accepted risks', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(read('docs/evidence/threat-model.md').split('\n').length).toBeLessThan(200);
});

describe.each(rows)('$threat', ({ proof }) => {
  test('names tests that exist', () => {
    const named = [...proof.matchAll(/`([^`]+)`: “([^”]+)”/gu)];
    expect(proof).toBe(named.map(([text]) => text).join('; '));
    for (const [, file = '', title = ''] of named) expect([...titlesIn(read(file))]).toContain(title);
  });
});

test('reads the rows of tables with a test', () => {
  const table = '| threat | defense | test |\n|---|---|---|\n| a | b | `c.test.ts`: “d” |';
  expect(rowsOf(`# T\n\n| actor | has |\n|---|---|\n| x | y |\n\n${table}\n`)).toEqual([
    { threat: 'a', proof: '`c.test.ts`: “d”' },
  ]);
});
