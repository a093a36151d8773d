import { expect, test } from 'vitest';

import { readRepository } from './repository-files.ts';
import { repositoryRoot } from './run-tool.ts';

/** Source files of rooms, without tests and what only tests use. */
const isChecked = (path: string) => /^(?:apps|packages)\/[^/]+\/src\//.test(path) && !/\.test\.tsx?$/.test(path);

/** Files of `packages/db`, which offers both, and those that pass `prisma` on. */
const allowed = new Set(['packages/db/src/database.ts', 'apps/auth/src/sign-in/visit/session-db-store.ts']);

const usesPrisma = (text: string) => /\.prisma\b/.test(text);
const usesStatements = (text: string) =>
  /\bfrom '(?:@linnet\/db\/statement|\.{1,2}(?:\/[^']+)*)\/statement(?:\.ts)?'/.test(text);

const describeUse = (path: string, text: string) => ({
  path,
  prisma: usesPrisma(text),
  statements: usesStatements(text),
});

test('a file uses Prisma or named statements, not both', () => {
  const files = [...readRepository(repositoryRoot, ['.ts', '.tsx'])]
    .filter(([path]) => isChecked(path) && !allowed.has(path))
    .map(([path, text]) => describeUse(path, text));
  expect(files.filter(({ prisma, statements }) => prisma && statements)).toEqual([]);
  expect(files.filter(({ statements }) => statements).length).toBeGreaterThan(100);
});

test('only stores use Prisma', () => {
  const files = [...readRepository(repositoryRoot, ['.ts', '.tsx'])];
  const users = files
    .filter(([path, text]) => isChecked(path) && !allowed.has(path) && usesPrisma(text))
    .map(([path]) => path);
  expect(users).not.toEqual([]);
  expect(users.filter((path) => !path.endsWith('-store.ts'))).toEqual([]);
});

test.each([
  ["await db.prisma.account.count();\nimport { statement } from '@linnet/db/statement/statement';", true, true],
  ["import { lookup } from './statement.ts';", false, true],
  ["import { countUsers } from './statements-view.ts';", false, false],
  ["db: Pick<Db, 'prisma' | 'query'>", false, false],
])('recognizes the use in %j', (text, prisma, statements) => {
  expect(describeUse('file.ts', text)).toEqual({ path: 'file.ts', prisma, statements });
});
