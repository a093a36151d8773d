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

/** The first line of a code block, unless it is a language and the name of a file. */
const findWrongOpenings = (text: string) => text.match(/^[ \t]*```(?!\w*(?: [\w.-]+)?$).*$/gmu) ?? [];

test('commands can be copied: the line that opens a code block has none of them', () => {
  expect(documents.flatMap(([path, text]) => findWrongOpenings(text).map((line) => `${path}: ${line}`))).toEqual([]);
  const joined = '   ```ini wal_level = replica archive_mode = on';
  expect(findWrongOpenings(['```ts bot.mts', 'a();', '```', joined, '   ```'].join('\n'))).toEqual([joined]);
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
