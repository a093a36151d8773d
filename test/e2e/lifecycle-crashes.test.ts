import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createClient, requestToken } from '../support/api-client.ts';
import { listenToPosts, writePosts } from '../support/post-stream.ts';
import { findProcesses, isPostgres, isWorker } from '../support/processes.ts';
import type { FoundProcess } from '../support/processes.ts';
import { eventually, signalIfRunning, startService, statusOf } from '../support/service.ts';
import type { Service } from '../support/service.ts';

async function find(service: Service, isWanted: (found: FoundProcess) => boolean): Promise<readonly FoundProcess[]> {
  return (await findProcesses(service.dataDir)).filter(isWanted);
}

async function killOne(service: Service, isWanted: (found: FoundProcess) => boolean): Promise<number> {
  const [victim] = await find(service, isWanted);
  if (victim === undefined) throw new Error('there is no such process');
  process.kill(victim.pid, 'SIGKILL');
  return victim.pid;
}

/** One worker serves while the other is killed. */
const twoWorkers = { WORKERS: '2' };

test('the service is killed: no worker or PostgreSQL remains, and it starts again on its data, even immediately', async () => {
  await using service = await startService({ env: twoWorkers });
  const keys = await (await fetch(`${service.baseUrl}/oauth/jwks`)).text();
  expect(await find(service, isWorker)).toHaveLength(2);
  expect(await find(service, isPostgres)).toHaveLength(1);
  service.process.kill('SIGKILL');
  expect(await service.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  await eventually('no process remains', async () => (await findProcesses(service.dataDir)).length === 0);
  const env = { DATA_DIR: service.dataDir, PORT: String(service.port) };
  await using again = await startService({ env });
  expect(await (await fetch(`${again.baseUrl}/oauth/jwks`)).text()).toBe(keys);
  again.process.kill('SIGKILL');
  await again.exited;
  await using immediate = await startService({ env });
  expect(immediate.pid).not.toBe(again.pid);
  // The guard of the killed service's PostgreSQL must not stop the new one.
  await delay(1000);
  await expect(statusOf(`${immediate.baseUrl}/oauth/jwks`)).resolves.toBe(200);
  await eventually('ready', async () => (await statusOf(`${immediate.baseUrl}/health/ready`)) === 200);
});

test('PostgreSQL is killed: 503, then the same processes serve again; a worker is killed: the other one serves, and streams continue', async () => {
  await using service = await startService({ env: twoWorkers });
  const workers = new Set((await find(service, isWorker)).map(({ pid }) => pid));
  const readiness = `${service.baseUrl}/health/ready`;
  for (let round = 1; round <= 3; round += 1) {
    const statuses = new Set<number>();
    await killOne(service, isPostgres);
    await eventually('unready', async () => {
      const status = await statusOf(readiness);
      statuses.add(status);
      return status === 503;
    });
    // The new one starts when all connections to the killed one have ended. Until then, a worker may still have one, and be ready.
    await eventually('ready with a new PostgreSQL', async () => {
      const isStarted = startsOfPostgres(service) > round;
      const status = await statusOf(readiness);
      statuses.add(status);
      return isStarted && status === 200;
    });
    // Neither refused connections nor other errors.
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  }
  expect(new Set((await find(service, isWorker)).map(({ pid }) => pid))).toEqual(workers);
  expect(service.process.exitCode).toBeNull();
  await expectReplacedWorker(service);
  await expectContinuedStream(service);
});

/** How often the service has started PostgreSQL, by its log. */
function startsOfPostgres(service: Service): number {
  return service.stdout().split('PostgreSQL started in').length - 1;
}

/** Kills a worker: the other one serves, and a new one replaces it. */
async function expectReplacedWorker(service: Service): Promise<void> {
  const killed = await killOne(service, isWorker);
  // Until the primary notices, Node passes connections to the dead worker; they are closed.
  await eventually('the primary has noticed', () => service.stdout().includes('a worker died'));
  for (let request = 1; request <= 10; request += 1) {
    expect(await statusOf(`${service.baseUrl}/health/live`)).toBe(200);
  }
  await eventually('the worker is replaced', async () => (await find(service, isWorker)).length === 2);
  expect((await find(service, isWorker)).map(({ pid }) => pid)).not.toContain(killed);
}

/** Each worker is killed while somebody writes and listens: the client comes back with its last id, and gets each post once, in order. */
async function expectContinuedStream(service: Service): Promise<void> {
  const { body: token } = await requestToken(service.baseUrl, await createClient(service.env, 'ada_lovelace'));
  await using listener = await listenToPosts(service, token.access_token);
  const posts = writePosts(service, token.access_token);
  for (const { pid } of await find(service, isWorker)) {
    const before = listener.posts.length;
    await eventually('posts arrive', () => listener.posts.length > before + 3);
    process.kill(pid, 'SIGKILL');
    await eventually('the worker is replaced', async () => (await find(service, isWorker)).length === 2);
  }
  const written = await posts.stop();
  await eventually('the last post has arrived', () => listener.posts.includes(written.at(-1) ?? 0));
  expect(listener.posts).toEqual([...new Set(listener.posts)].toSorted((one, other) => one - other));
  expect(listener.posts).toEqual(expect.arrayContaining(written));
}

test('the only worker dies with connections that the primary has passed to it: they are closed, and a new worker serves', async () => {
  await using service = await startService({ env: { WORKERS: '1' } });
  const [worker] = await find(service, isWorker);
  if (worker === undefined) throw new Error('there is no worker');
  process.kill(worker.pid, 'SIGSTOP');
  // The first is on its way to the worker, the others wait for their turn.
  const clients = Array.from({ length: 3 }, () => connect(service.port, '127.0.0.1'));
  for (const client of clients) {
    client.on('error', () => undefined).resume();
    client.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  }
  await eventually('the primary has accepted them', async () => {
    const accepted = await Promise.all(clients.map(async (client) => await isAccepted(client)));
    return accepted.every(Boolean);
  });
  process.kill(worker.pid, 'SIGKILL');
  await eventually('they are closed', () => clients.every(({ closed }) => closed));
  await eventually('ready again', async () => (await statusOf(`${service.baseUrl}/health/ready`)) === 200);
  expect((await find(service, isWorker)).map(({ pid }) => pid)).not.toContain(worker.pid);
});

/** Whether a process has the other end: in proc(5), /proc/net/tcp, a connection that nobody has accepted has the inode 0. */
async function isAccepted({ localPort, remotePort }: Socket): Promise<boolean> {
  const toHex = (port: number | undefined) => `0100007F:${(port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const table = `${await readFile('/proc/net/tcp', 'utf8')}\n${await readFile('/proc/net/tcp6', 'utf8')}`;
  const lines = table.split('\n').map((line) => line.trim().split(/\s+/));
  const end = lines.find(
    ([, local, remote]) => local?.endsWith(toHex(remotePort)) === true && remote?.endsWith(toHex(localPort)) === true,
  );
  return Number(end?.[9] ?? 0) > 0;
}

test('every worker dies five times within a minute: the service exits with status 1, and no process remains', async () => {
  await using service = await startService({ env: twoWorkers });
  let hasExited = false;
  void service.exited.then(() => (hasExited = true));
  await eventually('the service has given up', async () => {
    for (const { pid } of await find(service, isWorker)) signalIfRunning(pid, 'SIGKILL');
    return hasExited;
  });
  expect(await service.exited).toEqual({ exitCode: 1, signal: null });
  expect(service.stderr()).toContain('every worker died five times within a minute');
  await eventually('no process remains', async () => (await findProcesses(service.dataDir)).length === 0);
});
