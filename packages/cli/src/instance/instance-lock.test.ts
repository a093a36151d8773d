import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { claimInstance, describeHost, findInstance } from './instance-lock.ts';
import { keepTouching, observeTouch } from './lock-touches.ts';
import { describeProcess } from './process-identity.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'linnet-lock-')), 'data');
});

afterEach(async () => {
  await rm(join(dataDir, '..'), { recursive: true });
});

/** The content of the lock of a process of this host. */
async function lockOf(pid: number, startedAt: string): Promise<string> {
  const { id, name } = await describeHost();
  return `${String(pid)} ${startedAt} ${id} ${name}\n`;
}

async function writeLock(pid: number, startedAt: string): Promise<void> {
  await (await claimInstance(dataDir))[Symbol.asyncDispose]();
  await writeFile(join(dataDir, 'linnet.lock'), await lockOf(pid, startedAt));
}

test('the lock exists from the claim to the end, linnet.pid from the announcement to the end', async () => {
  const instance = await claimInstance(dataDir);
  expect(await findInstance(dataDir)).toBe(process.pid);
  expect(await readdir(dataDir)).toEqual(['linnet.lock']);
  await instance.announce();
  expect(await readFile(join(dataDir, 'linnet.pid'), 'utf8')).toBe(`${String(process.pid)}\n`);
  await instance[Symbol.asyncDispose]();
  expect(await readdir(dataDir)).toEqual([]);
  expect(await findInstance(dataDir)).toBeUndefined();
});

test('exactly one of many concurrent claims succeeds, even over the lock of a dead process', async () => {
  // Most rounds start with the lock of a dead process; one also has the takeover file of a process that died during it.
  const dead = async () => await writeLock(process.pid, '1');
  const deadDuringTakeover = async () => {
    await dead();
    await writeFile(join(dataDir, 'linnet.lock.takeover'), await lockOf(process.pid, '1'));
  };
  for (const prepare of [() => Promise.resolve(), deadDuringTakeover, ...Array.from({ length: 30 }, () => dead)]) {
    await prepare();
    const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimInstance(dataDir)));
    const won = claims.filter((claim) => claim.status === 'fulfilled');
    expect(won).toHaveLength(1);
    await won[0]?.value[Symbol.asyncDispose]();
    expect(await readdir(dataDir)).toEqual([]);
  }
});

test('a rejected claim names the process that owns the directory', async () => {
  await using _instance = await claimInstance(dataDir);
  await expect(claimInstance(dataDir)).rejects.toMatchObject({
    code: 'already-running',
    message: expect.stringContaining(`process ${String(process.pid)}`),
  });
});

test.each(['', 'x', '0 1', '-1 1', '999999999 1'])('a lock with the content %j is replaced', async (content) => {
  await writeLock(1, '1');
  await writeFile(join(dataDir, 'linnet.lock'), content);
  expect(await findInstance(dataDir)).toBeUndefined();
  await using _instance = await claimInstance(dataDir);
  expect(await findInstance(dataDir)).toBe(process.pid);
});

test('a lock is valid for one process, not for a later one with the same id', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const { startedAt = '' } = (await describeProcess(pid)) ?? {};
  await writeLock(pid, startedAt);
  expect(await findInstance(dataDir)).toBe(pid);
  await writeFile(join(dataDir, 'linnet.lock'), await lockOf(pid, `${startedAt}1`));
  expect(await findInstance(dataDir)).toBeUndefined();
  await writeFile(join(dataDir, 'linnet.lock'), await lockOf(pid, startedAt));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await findInstance(dataDir)).toBeUndefined();
});

test('the error names a directory that cannot be created', async () => {
  await expect(claimInstance('/dev/null/data')).rejects.toMatchObject({
    code: 'data-dir',
    message: expect.stringContaining('/dev/null/data'),
  });
});

describe('a process of another host', () => {
  const other = '12345 1 another-boot/1 host-b\n';
  const lockPath = () => join(dataDir, 'linnet.lock');

  beforeEach(async () => {
    await writeLock(1, '1');
    await writeFile(lockPath(), other);
  });

  test('keeps its lock as long as it touches it, and the error names it', async () => {
    using _touching = keepTouching(lockPath(), 50);
    const refused = {
      code: 'already-running',
      message: `The service is already running on ${dataDir} (process 12345 on the host host-b). Stop it there, or set another DATA_DIR for this host.`,
    };
    await expect(claimInstance(dataDir)).rejects.toMatchObject(refused);
    await expect(findInstance(dataDir)).rejects.toMatchObject(refused);
    expect(await readFile(lockPath(), 'utf8')).toBe(other);
    expect(await readdir(dataDir)).toEqual(['linnet.lock']);
  });

  test('loses it when it has not touched it for long enough, to exactly one of many', async () => {
    const claims = await Promise.allSettled(
      Array.from({ length: 5 }, () => claimInstance(dataDir, { patienceMs: 300 })),
    );
    const won = claims.filter((claim) => claim.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect(await findInstance(dataDir)).toBe(process.pid);
    await won[0]?.value[Symbol.asyncDispose]();
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('leaves it to us when it ends', async () => {
    const claim = claimInstance(dataDir);
    await rm(lockPath());
    await using _instance = await claim;
    expect(await findInstance(dataDir)).toBe(process.pid);
  });
});

test('the owner touches its lock', async () => {
  await using _instance = await claimInstance(dataDir);
  const path = join(dataDir, 'linnet.lock');
  expect(await observeTouch(path, await readFile(path, 'utf8'), 60_000)).toBe(true);
});
