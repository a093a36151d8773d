import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { claimInstance, findInstance } from './instance-lock.ts';
import { describeProcess } from './process-identity.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'linnet-lock-')), 'data');
});

afterEach(async () => {
  await rm(join(dataDir, '..'), { recursive: true });
});

async function writeLock(pid: number, startedAt: string): Promise<void> {
  await (await claimInstance(dataDir))[Symbol.asyncDispose]();
  await writeFile(join(dataDir, 'linnet.lock'), `${String(pid)} ${startedAt}\n`);
}

test('linnet.pid holds the number from the announcement to the end, the lock from the claim', async () => {
  const instance = await claimInstance(dataDir);
  expect(await findInstance(dataDir)).toBe(process.pid);
  expect(await readdir(dataDir)).toEqual(['linnet.lock']);
  await instance.announce();
  expect(await readFile(join(dataDir, 'linnet.pid'), 'utf8')).toBe(`${String(process.pid)}\n`);
  await instance[Symbol.asyncDispose]();
  expect(await readdir(dataDir)).toEqual([]);
  expect(await findInstance(dataDir)).toBeUndefined();
});

test('of many claims at once exactly one succeeds, also over the lock of a dead process', async () => {
  // Dead processes left a lock, and once the file of one that was taking it over.
  const dead = async () => await writeLock(process.pid, '1');
  const deadInTheMidst = async () => {
    await dead();
    await writeFile(join(dataDir, 'linnet.lock.takeover'), `${String(process.pid)} 1\n`);
  };
  for (const prepare of [() => Promise.resolve(), deadInTheMidst, ...Array.from({ length: 30 }, () => dead)]) {
    await prepare();
    const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimInstance(dataDir)));
    const won = claims.filter((claim) => claim.status === 'fulfilled');
    expect(won).toHaveLength(1);
    await won[0]?.value[Symbol.asyncDispose]();
    expect(await readdir(dataDir)).toEqual([]);
  }
});

test('a refused claim names the process that has the directory', async () => {
  await using _instance = await claimInstance(dataDir);
  await expect(claimInstance(dataDir)).rejects.toMatchObject({
    code: 'already-running',
    message: expect.stringContaining(`process ${String(process.pid)}`),
  });
});

test.each(['', 'x', '0 1', '-1 1', '999999999 1'])('a lock that says %j is no obstacle', async (content) => {
  await writeLock(1, '1');
  await writeFile(join(dataDir, 'linnet.lock'), content);
  expect(await findInstance(dataDir)).toBeUndefined();
  await using _instance = await claimInstance(dataDir);
  expect(await findInstance(dataDir)).toBe(process.pid);
});

test('a lock holds for one process, not for the next one with its number', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const { startedAt = '' } = (await describeProcess(pid)) ?? {};
  await writeLock(pid, startedAt);
  expect(await findInstance(dataDir)).toBe(pid);
  await writeFile(join(dataDir, 'linnet.lock'), `${String(pid)} ${startedAt}1\n`);
  expect(await findInstance(dataDir)).toBeUndefined();
  await writeFile(join(dataDir, 'linnet.lock'), `${String(pid)} ${startedAt}\n`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await findInstance(dataDir)).toBeUndefined();
});

test('a directory that cannot be made or written is named', async () => {
  await expect(claimInstance('/dev/null/data')).rejects.toMatchObject({
    code: 'data-dir',
    message: expect.stringContaining('/dev/null/data'),
  });
});
