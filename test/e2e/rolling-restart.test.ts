import { setTimeout as delay } from 'node:timers/promises';

import { createTestDatabase } from '../support/db/test-database.ts';
import { expect, inject, test } from 'vitest';

import { createClient } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { startBalancingProxy } from '../support/balancing-proxy.ts';
import { readMetrics, valueOf } from '../support/metrics-text.ts';
import { findProcesses, isWorker } from '../support/processes.ts';
import {
  eventually,
  findFreePort,
  launch,
  separateServer,
  signalIfRunning,
  startService,
  statusOf,
} from '../support/service.ts';
import type { Launched, Service, Variables } from '../support/service.ts';

/** Pauses leave the CPU to the processes that start, and still send some requests during each step of a restart. */
const pauseMs = 40;
/** Long enough for a signal to arrive, and too short for workers to start. */
const signalPauseMs = 100;
/** The worker has then closed its port, even on a busy machine. */
const stoppedMs = 3000;

/** Sends token requests on three connections until it is stopped, and counts the statuses of the responses. */
function sendTokenRequests(baseUrl: string, { id, secret }: Client) {
  const statuses = new Map<number, number>();
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const stopping = new AbortController();
  const send = async () => {
    while (!stopping.signal.aborted) {
      const response = await fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        headers,
        body: 'grant_type=client_credentials',
      });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      await delay(pauseMs);
    }
  };
  const sending = Promise.all([send(), send(), send()]);
  return {
    statuses: () => [...statuses.keys()],
    successes: () => statuses.get(200) ?? 0,
    stop: async () => {
      stopping.abort();
      await sending;
    },
  };
}

async function startAuth(env: Variables): Promise<Launched> {
  return await launch({ env, command: [...separateServer, 'auth'] });
}

test('two servers behind a proxy are restarted one after the other: every request succeeds', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const port = await findFreePort();
  const baseUrl = `http://localhost:${String(port)}`;
  const env = {
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    SECRET_KEYS: 'a secret of forty characters or somewhat more',
    RATE_LIMITS: 'off',
    DRAIN_SECONDS: '5',
  };
  await using stack = new AsyncDisposableStack();
  const servers = [stack.use(await startAuth(env)), stack.use(await startAuth(env))];
  const ports = servers.map((server) => server.port);
  await using proxy = await startBalancingProxy(port, ports);
  await eventually('both are ready', () => proxy.ready().length === 2);
  const client = await createClient(env, 'ada_lovelace');
  const requests = sendTokenRequests(baseUrl, client);
  await eventually('requests succeed', () => requests.successes() > 20);

  for (const server of servers) {
    server.process.kill('SIGTERM');
    await eventually('the proxy has noticed', () => proxy.ready().length === 1);
    // It still answers those who have not.
    expect(await statusOf(`http://127.0.0.1:${String(server.port)}/oauth/jwks`)).toBe(200);
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
    stack.use(await startAuth({ ...env, PORT: String(server.port) }));
    await eventually('it is ready again', () => proxy.ready().length === 2);
    const before = requests.successes();
    await eventually('requests succeed', () => requests.successes() > before + 20);
  }
  await requests.stop();
  expect(requests.statuses()).toEqual([200]);
  expect(proxy.failures).toEqual([]);
});

test('SIGUSR2 replaces the workers of the service: every request succeeds and is counted, and it stays ready', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const managementPort = String(await findFreePort());
  await using service = await startService({
    env: {
      DATABASE_URL: database.url,
      RATE_LIMITS: 'off',
      WORKERS: '2',
      DRAIN_SECONDS: '0',
      MANAGEMENT_PORT: managementPort,
    },
  });
  const client = await createClient(service.env, 'ada_lovelace');
  const readiness = new Set<number>();
  const workers = async () => (await findProcesses(service.dataDir)).filter(isWorker).map(({ pid }) => pid);
  const requests = sendTokenRequests(service.baseUrl, client);
  const previous = await workers();
  service.process.kill('SIGUSR2');
  await eventually('the workers are replaced', async () => {
    readiness.add(await statusOf(`${service.baseUrl}/health/ready`));
    return service.stdout().split('the workers were replaced').length === 2;
  });
  expect((await workers()).filter((pid) => previous.includes(pid))).toEqual([]);
  for (let signals = 0; signals < 3; signals += 1) {
    service.process.kill('SIGUSR2');
    await delay(signalPauseMs);
  }
  await eventually('the signals during a replacement have led to one more', async () => {
    readiness.add(await statusOf(`${service.baseUrl}/health/ready`));
    return service.stdout().split('the workers were replaced').length > 4 && (await workers()).length === 2;
  });
  await requests.stop();
  expect([...readiness]).toEqual([200]);
  expect(requests.statuses()).toEqual([200]);
  await eventually('the metrics have every request', async () => {
    const metrics = await readMetrics(`http://127.0.0.1:${managementPort}/metrics`);
    const series = 'linnet_http_requests_total{route="/oauth/token",method="POST",status="200"}';
    return valueOf(metrics, series) === requests.successes();
  });
  await expectOneForEachSlot(service);
  await expectConnectionsOfTheStopped(service);
});

/** A worker dies while it is replaced: there are not more workers afterwards. */
async function expectOneForEachSlot(service: Service): Promise<void> {
  const workers = async () => (await findProcesses(service.dataDir)).filter(isWorker).map(({ pid }) => pid);
  const previous = await workers();
  const replacements = service.stdout().split('the workers were replaced').length;
  service.process.kill('SIGUSR2');
  await eventually('new workers start', async () => (await workers()).length > previous.length);
  process.kill(previous[0] ?? Number.NaN, 'SIGKILL');
  await eventually(
    'they have taken over',
    () => service.stdout().split('the workers were replaced').length > replacements,
  );
  expect(service.stdout()).toContain('a worker died');
  await eventually('the previous ones are gone', async () => (await workers()).every((pid) => !previous.includes(pid)));
  expect(await workers()).toHaveLength(previous.length);
}

/**
 * A worker stops while the primary is busy and passes connections to it: another one serves them. (The primary is stopped
 * until the worker has exited, or waits for the primary.)
 */
async function expectConnectionsOfTheStopped(service: Service): Promise<void> {
  const worker = (await findProcesses(service.dataDir)).find(isWorker);
  if (worker === undefined) throw new Error('there is no worker');
  process.kill(worker.pid, 'SIGTERM');
  await eventually('it drains', async () => (await statusOf(`${service.baseUrl}/health/ready`)) === 503);
  service.process.kill('SIGSTOP');
  const statuses = Promise.all(Array.from({ length: 8 }, () => statusOf(`${service.baseUrl}/health/live`)));
  await delay(stoppedMs);
  service.process.kill('SIGCONT');
  expect(await statuses).toEqual(Array.from({ length: 8 }, () => 200));
}

test('a worker that keeps dying is restarted with a growing delay, and the others serve', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using service = await startService({ env: { DATABASE_URL: database.url, WORKERS: '2' } });
  const find = async () => (await findProcesses(service.dataDir)).filter(isWorker).map(({ pid }) => pid);
  const [survivor] = await find();
  let kills = 0;
  await eventually('one slot has died six times', async () => {
    for (const pid of (await find()).filter((found) => found !== survivor)) {
      if (signalIfRunning(pid, 'SIGKILL')) kills += 1;
    }
    return service.stdout().split('a worker died').length > 6;
  });
  const delays = [...service.stdout().matchAll(/"restartMs":(\d+)/g)].map(([, ms]) => Number(ms));
  expect(delays.slice(0, 3)).toEqual([100, 200, 400]);
  expect(kills).toBeGreaterThanOrEqual(6);
  expect(service.process.exitCode).toBeNull();
  expect(await statusOf(`${service.baseUrl}/health/live`)).toBe(200);
});
