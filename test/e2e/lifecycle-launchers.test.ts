import { expect, test } from 'vitest';

import { findProcesses } from '../support/processes.ts';
import type { FoundProcess } from '../support/processes.ts';
import { eventually, startService } from '../support/service.ts';

const npx = ['npx', '-y', 'pnpm@12', 'start'] as const;

/** From npx down to the service: npm, a shell, pnpm, a shell, the service. */
async function findChain(dataDir: string, pid: number): Promise<readonly FoundProcess[]> {
  const processes = await findProcesses(dataDir);
  const chain: FoundProcess[] = [];
  for (let link = processes.find((found) => found.pid === pid); link !== undefined; ) {
    chain.unshift(link);
    const { parent } = link;
    link = processes.find((found) => found.pid === parent);
  }
  return chain;
}

const isShell = ({ command }: FoundProcess) => command.startsWith('sh ');
const isPnpm = ({ command }: FoundProcess) => /(^|\/)pnpm start/.test(command);

test.each([
  ['SIGTERM', 'npx', (chain: readonly FoundProcess[]) => chain[0]],
  ['SIGINT', 'npx', (chain: readonly FoundProcess[]) => chain[0]],
  ['SIGKILL', 'npx', (chain: readonly FoundProcess[]) => chain[0]],
  ['SIGTERM', 'pnpm', (chain: readonly FoundProcess[]) => chain.find(isPnpm)],
  ['SIGINT', 'pnpm', (chain: readonly FoundProcess[]) => chain.find(isPnpm)],
  ['SIGKILL', 'pnpm', (chain: readonly FoundProcess[]) => chain.find(isPnpm)],
  ['SIGTERM', 'the shell', (chain: readonly FoundProcess[]) => chain.findLast(isShell)],
  ['SIGKILL', 'the shell', (chain: readonly FoundProcess[]) => chain.findLast(isShell)],
] as const)('%s to %s of "npx pnpm@12 start" leaves nothing', async (signal, _name, choose) => {
  await using service = await startService({ command: npx });
  const chain = await findChain(service.dataDir, service.pid);
  expect(chain[0]?.pid).toBe(service.process.pid);
  const target = choose(chain);
  if (target === undefined) throw new Error(`not found in ${chain.map(({ command }) => command).join(' > ')}`);
  process.kill(target.pid, signal);
  await eventually('nothing is left', async () => (await findProcesses(service.dataDir)).length === 0, 12_000);
});

test('without --with-parent the service outlives who started it', async () => {
  await using service = await startService({
    command: ['sh', '-c', '"$0" packages/cli/bin/linnet.mjs start & wait', process.execPath],
  });
  service.process.kill('SIGKILL');
  await service.process.exitCode;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect((await findProcesses(service.dataDir)).some(({ pid }) => pid === service.pid)).toBe(true);
  process.kill(service.pid, 'SIGTERM');
  await eventually('ended', async () => (await findProcesses(service.dataDir)).length === 0);
});
