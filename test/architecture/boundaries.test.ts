import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { plantRepository, roomManifest, rooms } from './planted-repository.ts';
import type { Files } from './planted-repository.ts';
import { repositoryRoot, runTool } from './run-tool.ts';

/** The issues that `turbo boundaries` reports, each in one line. */
async function findIssues(directory: string): Promise<string[]> {
  const { stdout, stderr } = await runTool('turbo', ['boundaries', '--no-color'], directory);
  const text = `${stdout}${stderr}`.replaceAll(/\n\s+[|│]\s+/g, ' ');
  const count = /(\d+|no) issues? found/.exec(text)?.[1];
  const issues = [...text.matchAll(/^ {2}[x×] (.+)$/gm)].map(([, issue]) => issue ?? '');
  expect(count === 'no' ? '0' : count, text).toBe(String(issues.length));
  return issues;
}

async function listRooms(): Promise<string[]> {
  const folders = await Promise.all(
    ['apps', 'packages'].map(async (kind) => {
      const entries = await readdir(join(repositoryRoot, kind));
      return entries.map((name) => `${kind}/${name}`);
    }),
  );
  return folders.flat();
}

test('no room declares or imports a forbidden dependency', async () => {
  expect(await findIssues(repositoryRoot)).toEqual([]);
});

test('the tag of each room is its name', async () => {
  const found = await listRooms();
  const tags = await Promise.all(
    found.map(async (room) => {
      const { tags: own } = JSON.parse(await readFile(join(repositoryRoot, room, 'turbo.json'), 'utf8')) as {
        readonly tags: unknown;
      };
      return [room, own];
    }),
  );
  expect(Object.fromEntries(tags)).toEqual(Object.fromEntries(found.map((room) => [room, [room.split('/')[1]]])));
  expect(found.toSorted()).toEqual(rooms.toSorted());
});

test('turbo reports forbidden and undeclared dependencies', async () => {
  const files: Files = {
    'apps/api/package.json': roomManifest('apps/api', { dependencies: { '@linnet/auth': 'workspace:*' } }),
    'packages/db/package.json': roomManifest('packages/db', { dependencies: { '@linnet/contract': 'workspace:*' } }),
    'apps/auth/src/undeclared.ts': `import 'pg';`,
    'packages/service/src/outside.ts': `import '../../db/src/database.ts';`,
    'packages/cli/src/through-the-test-folder.ts': `import '../../../test/support/service.ts';`,
  };
  await using repository = await plantRepository(files);
  const issues = await findIssues(repository.root);
  expect(issues.toSorted()).toEqual([
    // Indirect dependencies count, too.
    'Package `@linnet/audit` found without any tag listed in allowlist for `@linnet/api`',
    'Package `@linnet/auth` found without any tag listed in allowlist for `@linnet/api`',
    'Package `@linnet/contract` found without any tag listed in allowlist for `@linnet/audit`',
    'Package `@linnet/contract` found without any tag listed in allowlist for `@linnet/db`',
    'Package `@linnet/contract` found without any tag listed in allowlist for `@linnet/revocations`',
    'Package `@linnet/keys` found without any tag listed in allowlist for `@linnet/api`',
    'cannot import package `pg` because it is not a dependency',
    'import `../../../test/support/service.ts` leaves the package',
    'import `../../db/src/database.ts` leaves the package',
  ]);
});
