import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { findProcesses, isPostgres, isWorker } from '../support/processes.ts';
import type { FoundProcess } from '../support/processes.ts';
import { eventually, startService, statusOf } from '../support/service.ts';
import type { Service } from '../support/service.ts';

async function find(service: Service, which: (found: FoundProcess) => boolean): Promise<readonly FoundProcess[]> {
  return (await findProcesses(service.dataDir)).filter(which);
}

async function killOne(service: Service, which: (found: FoundProcess) => boolean): Promise<number> {
  const [victim] = await find(service, which);
  if (victim === undefined) throw new Error('there is no such process');
  process.kill(victim.pid, 'SIGKILL');
  return victim.pid;
}

test('the service is killed: no worker and no PostgreSQL is left, and it starts again on its data, also at once', async () => {
  await using service = await startService();
  const keys = await (await fetch(`${service.baseUrl}/oauth/jwks`)).text();
  expect(await find(service, isWorker)).toHaveLength(2);
  expect(await find(service, isPostgres)).toHaveLength(1);
  service.process.kill('SIGKILL');
  expect(await service.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  await eventually('nothing is left', async () => (await findProcesses(service.dataDir)).length === 0, 10_000);
  const env = { DATA_DIR: service.dataDir, PORT: String(service.port) };
  await using again = await startService({ env });
  expect(await (await fetch(`${again.baseUrl}/oauth/jwks`)).text()).toBe(keys);
  again.process.kill('SIGKILL');
  await again.exited;
  await using atOnce = await startService({ env });
  expect(atOnce.pid).not.toBe(again.pid);
  // The PostgreSQL of the one before may not take that of this one with it.
  await delay(1000);
  expect(await statusOf(`${atOnce.baseUrl}/health/ready`)).toBe(200);
});

test('PostgreSQL is killed: 503 meanwhile, then the same processes serve again; a worker is killed: the other goes on', async () => {
  await using service = await startService();
  const workers = new Set((await find(service, isWorker)).map(({ pid }) => pid));
  const readiness = `${service.baseUrl}/health/ready`;
  for (let round = 1; round <= 3; round += 1) {
    const seen = new Set<number>();
    await killOne(service, isPostgres);
    await eventually('unready', async () => {
      const status = await statusOf(readiness);
      seen.add(status);
      return status === 503;
    });
    await eventually('ready again', async () => {
      const status = await statusOf(readiness);
      seen.add(status);
      return status === 200;
    });
    // Never a refused connection, never a failure of another kind.
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  }
  expect(new Set((await find(service, isWorker)).map(({ pid }) => pid))).toEqual(workers);
  expect(service.process.exitCode).toBeNull();
  await expectAnotherWorker(service);
});

/** One worker is killed: the other goes on, and a new one takes its place. */
async function expectAnotherWorker(service: Service): Promise<void> {
  const killed = await killOne(service, isWorker);
  // Until the primary knows, Node hands connections to the dead worker; those are lost.
  await eventually('noticed', () => service.stdout().includes('a worker died'));
  for (let request = 1; request <= 10; request += 1) {
    expect(await statusOf(`${service.baseUrl}/health/ready`)).toBe(200);
  }
  await eventually('replaced', async () => (await find(service, isWorker)).length === 2);
  expect((await find(service, isWorker)).map(({ pid }) => pid)).not.toContain(killed);
}

test('five workers die within a minute: the service gives up with status 1 and leaves nothing', async () => {
  await using service = await startService();
  let ended = false;
  void service.exited.then(() => (ended = true));
  await eventually('given up', async () => {
    for (const { pid } of await find(service, isWorker)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it ended in this moment
      }
    }
    return ended;
  });
  expect(await service.exited).toEqual({ exitCode: 1, signal: null });
  expect(service.stderr()).toContain('five workers died within a minute');
  await eventually('nothing is left', async () => (await findProcesses(service.dataDir)).length === 0);
});
