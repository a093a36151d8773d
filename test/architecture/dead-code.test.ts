import { expect, test } from 'vitest';

import { plantRepository, roomManifest, rooms } from './planted-repository.ts';
import type { Files } from './planted-repository.ts';
import { runTool } from './run-tool.ts';

/** The findings in one file, by kind. */
type Findings = Readonly<Record<string, string | readonly { readonly name: string }[]>> & { readonly file: string };

async function findDeadCode(directory: string): Promise<string[]> {
  const { stdout } = await runTool('knip', ['--no-progress', '--no-config-hints', '--reporter', 'json'], directory);
  const { issues } = JSON.parse(stdout) as { readonly issues: readonly Findings[] };
  return issues.flatMap((findings) =>
    Object.entries(findings).flatMap(([kind, found]) =>
      typeof found === 'string' ? [] : found.map(({ name }) => `${kind}: ${findings.file} ${name}`),
    ),
  );
}

const files: Files = {
  ...Object.fromEntries(rooms.map((room) => [`${room}/package.json`, roomManifest(room, { dependencies: {} })])),
  'apps/api/package.json': roomManifest('apps/api', {
    dependencies: { '@linnet/db': 'workspace:*', koa: '1.0.0' },
  }),
  'apps/api/src/main.ts': `import { used } from './used.ts'; import type { Used } from './used.ts'; used() as Used;`,
  'apps/api/src/used.ts': `
    import { query } from '@linnet/db/database';
    import 'pg';
    import type { Schema } from 'zod';
    export type Used = Schema;
    export function used() { return query(); }
    export function unusedFunction() { return query(); }
    export type UnusedType = string;`,
  'apps/api/src/app.ts': 'export function imported() {}; export function notImported() {}',
  'apps/api/src/unimported.ts': 'export const unimported = 1;',
  'packages/db/src/database.ts': 'export function query() {}',
  'test/package.json': JSON.stringify({ name: '@linnet/test', devDependencies: { '@linnet/api': 'workspace:*' } }),
  'test/e2e/app.test.ts': `import { imported } from '@linnet/api/app'; imported();`,
};

test('knip reports unused exports and unused or undeclared dependencies, and nothing else', async () => {
  await using repository = await plantRepository(files);
  expect((await findDeadCode(repository.root)).toSorted()).toEqual([
    'dependencies: apps/api/package.json koa',
    'exports: apps/api/src/app.ts notImported',
    'exports: apps/api/src/unimported.ts unimported',
    'exports: apps/api/src/used.ts unusedFunction',
    'types: apps/api/src/used.ts UnusedType',
    'unlisted: apps/api/src/used.ts pg',
    'unlisted: apps/api/src/used.ts zod',
  ]);
});
