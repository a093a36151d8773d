import { expect, test } from 'vitest';

import { plantRepository, roomManifest, rooms } from './planted-repository.ts';
import type { Files } from './planted-repository.ts';
import { runTool } from './run-tool.ts';

/** Lists of what was found in one file, by the kind of the finding. */
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
    exports: { './app': { source: './src/app.ts' }, './nobody': { source: './src/nobody.ts' } },
    dependencies: { '@linnet/db': 'workspace:*', koa: '1.0.0' },
  }),
  'apps/api/src/main.ts': `import { used } from './used.ts'; used();`,
  'apps/api/src/used.ts': `
    import { query } from '@linnet/db/database';
    import 'pg';
    export function used() { return query(); }
    export function unusedFunction() { return query(); }
    export type UnusedType = string;`,
  'apps/api/src/app.ts': 'export function taken() {}; export function notTaken() {}',
  'apps/api/src/nobody.ts': 'export const exportedForNobody = 1;',
  'apps/api/src/unused.ts': '',
  'packages/db/src/database.ts': 'export function query() {}',
  'test/e2e/app.test.ts': `import { taken } from '@linnet/api/app'; taken();`,
};

test('what nothing takes is seen, and what something takes is not', async () => {
  await using repository = await plantRepository(files);
  expect((await findDeadCode(repository.root)).toSorted()).toEqual([
    'dependencies: apps/api/package.json koa',
    'exports: apps/api/src/app.ts notTaken',
    'exports: apps/api/src/nobody.ts exportedForNobody',
    'exports: apps/api/src/used.ts unusedFunction',
    'files: apps/api/src/unused.ts apps/api/src/unused.ts',
    'types: apps/api/src/used.ts UnusedType',
    'unlisted: apps/api/src/used.ts pg',
  ]);
});
