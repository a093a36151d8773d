import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { readImportsOnly } from './imports-only.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-imports-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function importsOf(source: string, name = 'module.ts'): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, source);
  return readImportsOnly(path);
}

test.each([
  ['a value', `import { a } from './a.ts';`, `import "./a.ts";`],
  ['a side effect', `import './a.ts';`, `import "./a.ts";`],
  ['a type', `import type { A } from './a.ts';`, `let t0: import("./a.ts");`],
  ['a re-export', `export { a } from './a.ts';`, `import "./a.ts";`],
  ['a re-export of everything', `export * from './a.ts';`, `import "./a.ts";`],
  ['a re-exported type', `export type { A } from './a.ts';`, `let t0: import("./a.ts");`],
  ['an inline type import', `export const a: import('./a.ts').A = 1;`, `let t0: import("./a.ts");`],
  ['a dynamic import', `export const a = async () => await import('./a.ts');`, `import("./a.ts");`],
  ['a dynamic import in a class', `class A { #a = () => import('./a.ts'); }`, `import("./a.ts");`],
  [
    'a dynamic import after `using`',
    `async function a() { await using b = await import('./a.ts'); }`,
    `import("./a.ts");`,
  ],
  ['require', `const a = require('./a.cjs');`, `import "./a.cjs";`],
  ['the URL of a worker', `const a = new URL('a.ts', import.meta.url);`, `import("./a.ts");`],
  ['comments and strings', `export const a = 'import b from c'; // import './a.ts'`, ''],
  ['URLs of other files', `const a = new URL('../../prisma', import.meta.url); new URL('a.js', base);`, ''],
])('%s', async (_what, source, expected) => {
  expect(await importsOf(source)).toBe(expected);
});

test('a module that is imported for values and types counts once, as a value', async () => {
  const source = `import type { A } from './a.ts'; import { a } from './a.ts'; import type { B } from './b.ts';`;
  expect(await importsOf(source)).toBe(`import "./a.ts";\nlet t1: import("./b.ts");`);
});

test('reads JSX in .tsx, and type parameters that look like JSX in .ts', async () => {
  const tsx = `import { P } from './p.tsx'; export const view = <P>{import('./later.ts')}</P>;`;
  expect(await importsOf(tsx, 'view.tsx')).toBe(`import "./p.tsx";\nimport("./later.ts");`);
  expect(await importsOf(`export const same = <T>(value: T) => value;`)).toBe('');
});
