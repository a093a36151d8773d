import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { findBrokenCitations, findUntestedRequirements, idsCitedIn } from './citations.ts';
import { readRepository } from './repository-files.ts';

/** Every id, document and heading that a file refers to exists, so that a reader can look it up. */

const extensions = ['.ts', '.tsx', '.sql', '.md', '.json', '.jsonc', '.mjs', '.yaml'];
// These two files plant broken citations.
const own = new Set(['test/architecture/citations.test.ts', 'test/architecture/citations.ts']);

const repository = readRepository(fileURLToPath(new URL('../../', import.meta.url)), extensions);
const cited = new Map([...repository].filter(([path]) => !own.has(path)));

test('every citation resolves', () => {
  expect(cited.size).toBeGreaterThan(900);
  expect(findBrokenCitations(cited)).toEqual([]);
});

test('a test cites each requirement of the checklist', () => {
  expect(findUntestedRequirements(cited)).toEqual([]);
});

describe('planted in a small repository', () => {
  const documents = [
    ['docs/evidence/security-checklist.md', '## Tokens\n| TK9 | once |\n| UI13 | recent |'],
    ['docs/api/spec-decisions.md', '### D1. One\n### D1b. Two\n### Details 4. Three'],
    ['docs/decisions/0002-feed.md', '# 2. The feed'],
    ['docs/style.md', '# Style\n## 5.4 TypeScript\n## Names & files'],
    ['README.md', '[style](docs/style.md#names--files), [tokens](docs/evidence/security-checklist.md#tokens)'],
  ] as const;
  const plant = (path: string, text: string) => findBrokenCitations(new Map([...documents, [path, text]]));

  test.each([
    ['a requirement', '// Once (checklist TK9, UI13).'],
    ['a decision', "test('D1 D1b: the origin (Details 4)')"],
    ['an ADR', '// See ADR 2.'],
    ['a document', '// docs/style.md, style.md §5.4 and README.md'],
    ['an anchor', '// style.md#names--files'],
    ['what only looks like an id', "'RS256', 'R2-D2', '%D0', 'U+D800', 'v1.D7', 'M0 0'"],
    [
      'what only looks like a document',
      "'**/*.md', '{apps}/*.md', 'https://example.org/x.md', [b/style.md](docs/style.md)",
    ],
  ])('%s resolves', (_what, text) => {
    expect(plant('packages/a/src/a.ts', text)).toEqual([]);
  });

  test.each([
    ['a requirement', 'a.ts', '// checklist TK10', 'TK10 is not explained'],
    ['a requirement of an unknown group', 'a.ts', '// checklist XY1', 'XY1 is not explained'],
    ['a decision', 'a.sql', '-- D2', 'D2 is not explained'],
    ['a detail', 'a.tsx', '/** Details 5 */', 'Details 5 is not explained'],
    ['an ADR', 'docs/a.md', 'ADR 3', 'ADR 3 is not explained'],
    ['a document', '.oxlintrc.json', '// guide.md §5.4', 'guide.md does not exist'],
    ['a document beside it', 'docs/a.md', '[b](../b.md)', '../b.md does not exist'],
    ['a section', '.oxlintrc.json', '// style.md §5.5', 'style.md has no section §5.5'],
    ['a heading', 'docs/a.md', '[names](style.md#types)', 'style.md has no heading #types'],
  ])('%s that does not exist is found', (_what, path, text, finding) => {
    expect(plant(path, text)).toEqual([`${path}: ${finding}`]);
  });

  test('a requirement that no test cites is found', () => {
    const files = new Map([...documents, ['a.test.ts', "test('TK9 …')"], ['a.ts', '// UI13']] as const);
    expect(findUntestedRequirements(files)).toEqual(['UI13']);
  });
});

test('each id counts once', () => {
  expect(idsCitedIn('TK9 (checklist TK9), decisions D45')).toEqual(['TK9', 'D45']);
});
