import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { repositoryRoot } from '../architecture/run-tool.ts';

test('`pnpm linnet` and node_modules/.bin/linnet are the command of operators', async () => {
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'packages/cli/package.json'), 'utf8')) as {
    readonly version: string;
  };
  const command = join(repositoryRoot, 'node_modules/.bin/linnet');
  const { stdout } = await promisify(execFile)(command, ['--version']);
  expect(stdout.trim()).toBe(version);
});
