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
  ['an effect', `import './a.ts';`, `import "./a.ts";`],
  ['a type', `import type { A } from './a.ts';`, `let t0: import("./a.ts");`],
  ['what is handed on', `export { a } from './a.ts';`, `import "./a.ts";`],
  ['everything that is handed on', `export * from './a.ts';`, `import "./a.ts";`],
  ['a type that is handed on', `export type { A } from './a.ts';`, `let t0: import("./a.ts");`],
  ['a type in its place', `export const a: import('./a.ts').A = 1;`, `let t0: import("./a.ts");`],
  ['later', `export const a = async () => await import('./a.ts');`, `import("./a.ts");`],
  ['inside a class', `class A { #a = () => import('./a.ts'); }`, `import("./a.ts");`],
  ['behind `using`', `async function a() { await using b = await import('./a.ts'); }`, `import("./a.ts");`],
  ['in the old way', `const a = require('./a.cjs');`, `import "./a.cjs";`],
  ['for a worker', `const a = new URL('a.js', import.meta.url);`, `import("./a.ts");`],
  ['nothing', `export const a = 'import b from c'; // import './a.ts'`, ''],
  ['no module', `const a = new URL('../../prisma', import.meta.url); new URL('a.js', base);`, ''],
])('%s', async (_what, source, expected) => {
  expect(await importsOf(source)).toBe(expected);
});

test('what is taken for values and for types counts once, for its values', async () => {
  const source = `import type { A } from './a.ts'; import { a } from './a.ts'; import type { B } from './b.ts';`;
  expect(await importsOf(source)).toBe(`import "./a.ts";\nlet t1: import("./b.ts");`);
});

test('JSX in .tsx, and what would be JSX in .ts', async () => {
  const tsx = `import { P } from './p.tsx'; export const view = <P>{import('./later.ts')}</P>;`;
  expect(await importsOf(tsx, 'view.tsx')).toBe(`import "./p.tsx";\nimport("./later.ts");`);
  expect(await importsOf(`export const same = <T>(value: T) => value;`)).toBe('');
});
