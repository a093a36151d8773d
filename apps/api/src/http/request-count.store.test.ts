// Counts requests and errors per application and day, each once, for the owners of applications.
import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { createRelayedConnection } from '@linnet/test/db/relayed-connection';
import {
  bufferApplicationUsage,
  findWatchedRequests,
  watchApplication,
} from '@linnet/applications/usage/application-usage-store';
import {
  findEndpointDays,
  findEndpointSums,
  bufferEndpointUsage,
  sweepEndpointUsage,
} from '@linnet/applications/usage/endpoint-usage-store';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let api: RunningApi;
let ownerId: bigint;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  ownerId = BigInt((await api.register('owner_of_calls')).id);
});
afterAll(() => cleanup.disposeAsync());

async function createApplication(clientId: string): Promise<string> {
  const application = { clientId, ownerId, name: clientId, type: 'confidential' as const, scopes: ['users'] };
  await database.db.prisma.application.create({ data: application });
  return clientId;
}

async function daysOf(clientId: string) {
  const rows = await database.db.prisma.applicationUsage.findMany({ where: { clientId }, orderBy: { day: 'asc' } });
  return rows.map(({ day, tokens, calls, errors }): (string | number)[] => [
    day.toISOString().slice(0, 10),
    ...[tokens, calls, errors].map(Number),
  ]);
}

async function flush(): Promise<void> {
  await api.app.jobs.find(({ name }) => name === 'usage')?.run(new AbortController().signal);
}

test('counts each request for the application of its token; rejected requests are errors', async () => {
  const one = await createApplication('app_of_calls_one');
  const other = await createApplication('app_of_calls_two');
  const call = async (clientId: string, target: string) =>
    (await api.call(target, { claims: { client_id: clientId } })).status;
  expect(await call(one, 'GET /users/show?username=owner_of_calls')).toBe(200);
  expect(await call(one, 'GET /users/show?username=nobody_at_all')).toBe(404);
  expect(await call(one, 'GET /users/show?id=x')).toBe(400);
  expect(await call(other, 'GET /users/show?username=owner_of_calls')).toBe(200);
  // These count for no registered application: an unknown path, no token, an unknown client.
  expect(await call(one, 'GET /no/such/path')).toBe(404);
  expect((await api.call('GET /users/show?username=owner_of_calls', { claims: null })).status).toBe(401);
  expect(await call('app_that_is_not_there', 'GET /users/show?username=owner_of_calls')).toBe(200);
  await flush();
  await flush();
  // The test may run over midnight.
  const counted = async (clientId: string) => {
    const days = await daysOf(clientId);
    return [1, 2, 3].map((column) => days.reduce((sum, day) => sum + Number(day[column]), 0));
  };
  expect(await counted(one)).toEqual([0, 3, 2]);
  expect(await counted(other)).toEqual([0, 1, 0]);
  expect(await database.db.prisma.applicationUsage.count()).toBeLessThanOrEqual(4);
});

test('requests count for the day on which they arrived', async () => {
  const clientId = await createApplication('app_of_the_days_counted');
  let now = Date.UTC(2026, 10, 20, 23, 59, 59, 999);
  const usage = bufferApplicationUsage(database.db, () => now);
  usage.call(clientId, { isError: true });
  now += 1;
  usage.call(clientId, { isError: false });
  usage.call(clientId, { isError: true });
  await usage.flush();
  usage.call(clientId, { isError: false });
  await usage.flush();
  expect(await daysOf(clientId)).toEqual([
    ['2026-11-20', 0, 1, 1],
    ['2026-11-21', 0, 3, 1],
  ]);
});

test('successful requests are kept while an application is watched, the latest 100, whichever path they take', async () => {
  const [watched, other] = [
    await createApplication('app_of_watched_calls'),
    await createApplication('app_of_calls_not_watched'),
  ];
  const usage = async () => await api.app.jobs.find(({ name }) => name === 'usage')?.run(new AbortController().signal);
  const call = async (clientId: string, target = 'GET /users/show?username=owner_of_calls') =>
    (await api.call(target, { claims: { client_id: clientId } })).headers['x-request-id'];
  const listed = async (clientId: string) => (await findWatchedRequests(database.db, clientId)).list;
  await call(watched);
  await usage();
  await watchApplication(database.db, watched, 10);
  // Tests send every other request past the direct entry.
  const ids = [await call(watched), await call(watched)];
  await call(watched, 'GET /users/show?id=x');
  await call(other);
  await usage();
  const endpoint = 'GET /api/v2.0/users/show';
  expect(await listed(watched)).toEqual(
    ids.toReversed().map((requestId) => ({ at: expect.any(Date), endpoint, requestId })),
  );
  expect(await listed(other)).toEqual([]);

  const many = bufferApplicationUsage(database.db);
  for (let round = 0; round < 8; round += 1) {
    for (let number = 0; number < 25; number += 1) {
      many.call(watched, { isError: false, endpoint: `GET /${String(round)}` });
    }
    await many.flush();
  }
  expect((await listed(watched)).map(({ endpoint: path }) => path)).toEqual(
    [7, 6, 5, 4, 3].flatMap((round) => Array.from({ length: 20 }, () => `GET /${String(round)}`)),
  );
  expect(await database.db.prisma.watchedRequest.count()).toBeLessThanOrEqual(120);
  await watchApplication(database.db, watched, 0);
  await call(watched);
  await usage();
  expect(await findWatchedRequests(database.db, watched)).toMatchObject({ until: null, list: { length: 100 } });
  expect((await listed(watched))[0]).toMatchObject({ endpoint: 'GET /7' });
});

test('counts are stored once if the confirmation is lost, and kept if nothing was stored', async () => {
  const clientId = await createApplication('app_of_lost_answers');
  await using lossy = await createRelayedConnection(database.url);
  await using db = openDatabase({ url: lossy.url, poolSize: 1, prepare: true });
  const usage = bufferApplicationUsage(db, () => Date.UTC(2026, 10, 20));
  usage.call(clientId, { isError: false });
  await usage.flush();
  usage.call(clientId, { isError: true });
  lossy.dropsResponses = true;
  await expect(usage.flush()).rejects.toThrow('The database cannot be reached');
  await expect.poll(async () => await daysOf(clientId)).toEqual([['2026-11-20', 0, 2, 1]]);
  lossy.dropsResponses = false;
  await usage.flush();
  expect(await daysOf(clientId)).toEqual([['2026-11-20', 0, 2, 1]]);

  usage.call(clientId, { isError: false });
  const away = openDatabase({ url: 'postgresql://linnet@127.0.0.1:1/linnet', poolSize: 1, prepare: true });
  const waiting = bufferApplicationUsage({ query: async (...given) => await (isAway ? away : db).query(...given) });
  let isAway = true;
  waiting.call(clientId, { isError: false });
  await expect(waiting.flush()).rejects.toThrow('The database cannot be reached');
  isAway = false;
  await Promise.all([waiting.flush(), usage.flush()]);
  await away[Symbol.asyncDispose]();
  expect((await daysOf(clientId)).reduce((total, [, , calls]) => total + Number(calls), 0)).toBe(4);
});

test('counts requests by endpoint and class of the status, whichever path they take', async () => {
  const clientId = await createApplication('app_of_endpoints');
  const found = 'GET /users/show?username=owner_of_calls';
  const call = async (target: string, claims = {}) =>
    (await api.call(target, { claims: { client_id: clientId, ...claims } })).status;
  // An additional parameter changes nothing; tests send every other request past the direct entry.
  for (let count = 0; count < 4; count += 1) expect(await call(found)).toBe(200);
  expect(await call('GET /users/show?id=x')).toBe(400);
  expect(await call('GET /users/show', { scope: 'email' })).toBe(403);
  expect(await call('POST /users/show')).toBe(405);
  expect(await call('GET /no/such/path')).toBe(404);
  const run = async () =>
    await api.app.jobs.find(({ name }) => name === 'endpoint-usage')?.run(new AbortController().signal);
  await run();
  await run();
  const [sum, ...others] = await findEndpointSums(database.db, clientId);
  expect(sum).toEqual({ endpoint: 'GET /api/v2.0/users/show', succeeded: 4, rejected: 2, failed: 0 });
  expect(others).toEqual([]);
});

test('endpoints are counted by day; old days are deleted, and an application takes its counts with it', async () => {
  const clientId = await createApplication('app_of_endpoint_days');
  const dayMs = 86_400_000;
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  for (const daysAgo of [92, 89, 0]) {
    const usage = bufferEndpointUsage(database.db, () => today - daysAgo * dayMs);
    usage.call(clientId, 'GET /api/v2.0/post', 304);
    usage.call(clientId, 'POST /api/v2.0/post/create', 429);
    usage.call('app_that_is_not_there', 'GET /api/v2.0/post', 200);
    await usage.flush();
    usage.call(clientId, 'GET /api/v2.0/post', 503);
    await usage.flush();
  }
  await sweepEndpointUsage(database.db);
  const day = (daysAgo: number) => new Date(today - daysAgo * dayMs).toISOString().slice(0, 10);
  expect(await findEndpointDays(database.db, clientId)).toEqual(
    [89, 0].flatMap((daysAgo) => [
      { day: day(daysAgo), endpoint: 'GET /api/v2.0/post', succeeded: 1, rejected: 0, failed: 1 },
      { day: day(daysAgo), endpoint: 'POST /api/v2.0/post/create', succeeded: 0, rejected: 1, failed: 0 },
    ]),
  );
  await database.db.prisma.application.delete({ where: { clientId } });
  expect(await database.db.prisma.endpointUsage.count({ where: { clientId } })).toBe(0);
});
