import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { findLaunchChain, isLauncher, isIntact } from './stop-request.ts';

test.each([
  'npm exec pnpm@12 start',
  'npm',
  'npx pnpm@12 start',
  'pnpm start',
  '/home/ada/.npm/_npx/1/node_modules/.bin/pnpm start',
  'node /usr/bin/npx -y pnpm@12 start',
  '/usr/bin/node /usr/lib/node_modules/npm/bin/npx-cli.js pnpm@12 start',
  'node /usr/lib/node_modules/pnpm/bin/pnpm.cjs start',
])('%s is a launcher', (command) => {
  expect(isLauncher(command)).toBe(true);
});

test.each([
  'bash -c npx pnpm@12 start',
  'sh -c pnpm start',
  'node packages/cli/bin/linnet.mjs start',
  'node /x/vitest.mjs run pnpm',
  'vim pnpm-lock.yaml',
  'pnpmx start',
  '',
])('%s is not a launcher', (command) => {
  expect(isLauncher(command)).toBe(false);
});

test('the chain contains the parent and breaks when a process ends', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const chain = await findLaunchChain(child.pid ?? 0);
  expect(chain[0]?.pid).toBe(child.pid);
  expect(await isIntact(chain)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await isIntact(chain)).toBe(false);
});
