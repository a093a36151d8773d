import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { createEmptyDatabase } from '../support/db/test-database.ts';
import { expect, inject, test } from 'vitest';

import { findProcesses } from '../support/processes.ts';
import type { FoundProcess } from '../support/processes.ts';
import { eventually, repositoryRoot, startService, statusOf } from '../support/service.ts';

/** npx and pnpm take most of the time, so the usual run has them once. */
const launchers = {
  'npx pnpm@12 start': ['npx', '-y', 'pnpm@12', 'start'],
  'a shell': [
    'setsid',
    '--wait',
    'sh',
    '-c',
    '"$0" packages/cli/bin/linnet.mjs start --with-parent; :',
    process.execPath,
  ],
} as const;

/** The ancestors of the service that belong to it, outermost first: npm, a shell, pnpm, a shell, the service. */
async function findChain(dataDir: string, pid: number): Promise<readonly FoundProcess[]> {
  const processes = await findProcesses(dataDir);
  const chain: FoundProcess[] = [];
  for (let link = processes.find((found) => found.pid === pid); link !== undefined;) {
    chain.unshift(link);
    const { parent } = link;
    link = processes.find((found) => found.pid === parent);
  }
  return chain;
}

const isShell = ({ command }: FoundProcess) => command.startsWith('sh ');
const isPnpm = ({ command }: FoundProcess) => /(^|\/)pnpm start/.test(command);

const links = {
  npx: ([npx]: readonly FoundProcess[]) => npx?.pid,
  pnpm: (chain: readonly FoundProcess[]) => chain.find(isPnpm)?.pid,
  'the shell': (chain: readonly FoundProcess[]) => chain.findLast(isShell)?.pid,
  // pnpm runs the script in a separate process group, which gets the terminal's signals.
  'the foreground group': (chain: readonly FoundProcess[]) => -(chain.findLast(isShell)?.pid ?? Number.NaN),
};

const usualCases = [
  ['SIGKILL', 'npx', 'npx pnpm@12 start'],
  ['SIGHUP', 'the foreground group', 'a shell'],
] as const;
/** For `pnpm test:long`. A SIGINT to npm alone is missing: npm ignores it and leaves it to the process group. */
const longCases = [
  ['SIGHUP', 'the foreground group'],
  ['SIGTERM', 'pnpm'],
  ['SIGKILL', 'the shell'],
  ['SIGTERM', 'npx'],
  ['SIGINT', 'pnpm'],
  ['SIGKILL', 'pnpm'],
  ['SIGTERM', 'the shell'],
  ['SIGINT', 'the foreground group'],
] as const;
/** For `pnpm test:long`, too: it installs all production dependencies. */
const isLong = process.env['EVERY_LAUNCHER'] !== undefined;

const furtherCases = isLong ? longCases.map((one) => [...one, 'npx pnpm@12 start'] as const) : [];

test.each([...usualCases, ...furtherCases])('%s to %s of %s: no process remains', async (signal, link, launcher) => {
  await using service = await startService({ command: launchers[launcher] });
  const chain = await findChain(service.dataDir, service.pid);
  expect(chain[0]?.pid).toBe(service.process.pid);
  const target = links[link](chain);
  if (target === undefined) throw new Error(`not found in ${chain.map(({ command }) => command).join(' > ')}`);
  process.kill(target, signal);
  await eventually('no process remains', async () => (await findProcesses(service.dataDir)).length === 0);
});

test('without --with-parent, the service outlives the process that started it', async () => {
  await using service = await startService({
    command: ['sh', '-c', '"$0" packages/cli/bin/linnet.mjs start & wait', process.execPath],
  });
  service.process.kill('SIGKILL');
  await delay(1500); // with --with-parent, it would check its ancestors three times
  expect((await findProcesses(service.dataDir)).some(({ pid }) => pid === service.pid)).toBe(true);
  process.kill(service.pid, 'SIGTERM');
  await eventually('no process remains', async () => (await findProcesses(service.dataDir)).length === 0);
});

test.each(isLong ? ['production'] : [])('a deployed directory migrates and starts with NODE_ENV=%s', async (mode) => {
  await using database = await createEmptyDatabase(inject('databaseServer'));
  const directory = await mkdtemp(join(tmpdir(), 'linnet-deployment-'));
  try {
    const deploy = ['-y', 'pnpm@12', '--filter', '@linnet/cli', 'deploy', '--prod', directory];
    await promisify(execFile)('npx', deploy, { cwd: repositoryRoot });
    const secretKeys = randomBytes(36).toString('base64');
    await using service = await startService({
      command: [process.execPath, join(directory, 'bin/linnet.mjs'), 'start'],
      env: { NODE_ENV: mode, DATABASE_URL: database.url, SECRET_KEYS: secretKeys },
    });
    expect(await statusOf(`${service.baseUrl}/oauth/jwks`)).toBe(200);
    expect(await statusOf(`${service.baseUrl}/login`)).toBe(200);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
