import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { findMissingPaths } from './quoted-paths.ts';
import { readRepository } from './repository-files.ts';

/** A renamed file is renamed in the documents too. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [...readRepository(root, ['.md'])];

test('every file and folder that a document quotes exists', () => {
  const missing = documents.flatMap(([path, text]) =>
    findMissingPaths(text, (quoted) => existsSync(new URL(`../../${quoted}`, import.meta.url))).map(
      (quoted) => `${path}: ${quoted}`,
    ),
  );
  expect(documents.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

test('finds a planted path and skips placeholders, code blocks and other code', () => {
  const document = [
    'See `apps/api/src/app.ts`, `apps/gone/src/app.ts` and `packages/gone/`.',
    '`apps/api/src/endpoints/<segment>/`, `src/app.ts`, `test.each`',
    '```sh',
    'node `test/gone.ts`',
    '```',
  ].join('\n');
  expect(findMissingPaths(document, (path) => path === 'apps/api/src/app.ts')).toEqual([
    'apps/gone/src/app.ts',
    'packages/gone/',
  ]);
});
