import { callLimits, sharedLimits } from '@linnet/contract/limits';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { sweepCounters } from './rate-limit-store.ts';

/** AP10, D53. With this many workers, one of them allows few requests. */
const workers = 1000;
const share = (name: keyof typeof callLimits) => callLimits[name].quota / workers;

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let api: RunningApi;
let acct: number;
let friend: number;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url, { config: { rateLimits: true, workers, trustProxy: 1 } }));
  acct = (await api.register('limited_user')).id;
  friend = (await api.register('limited_friend')).id;
});
afterAll(() => cleanup.disposeAsync());

let client_id = '';
let clients = 0;
beforeEach(() => {
  clients += 1;
  client_id = `client-limited-${String(clients)}`;
});

const read = async (claims?: Readonly<Record<string, unknown>>) =>
  await api.call(`GET /users/is?id=${String(acct)}`, { claims: { client_id, acct, ...claims } });
const write = async () =>
  await api.call('POST /post/create', { claims: { client_id, acct }, body: 'message=hello', headers: form });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function statuses(count: number, call: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await call()).status);
  return found;
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

test('every response states the remaining quota', async () => {
  const first = await read();
  const second = await read();
  expect(first.headers['ratelimit-policy']).toBe('"user-reads";q=12;w=60, "application-reads";q=48;w=60');
  expect(first.headers['ratelimit']).toBe('"user-reads";r=11;t=60, "application-reads";r=47;t=60');
  expect(second.headers['ratelimit']).toMatch(/^"user-reads";r=10;t=(?:59|60), "application-reads";r=46;t=(?:59|60)$/);
});

test('a request over the limit: 429 with Retry-After, and nothing is written', async () => {
  expect(await statuses(share('user-writes'), write)).toEqual(times(share('user-writes'), 200));
  const before = await api.db.prisma.post.count();
  const { status, headers, body } = await write();
  expect([status, body.code, body.request_id]).toEqual([429, 'rate-limited', headers['x-request-id']]);
  expect(body.detail).toContain('user-writes');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(headers['ratelimit']).toMatch(/^"user-writes";r=0;t=\d+$/);
  expect(await api.db.prisma.post.count()).toBe(before);
  expect((await read()).status).toBe(200);
});

test('counts each user of an application, and the application as a whole', async () => {
  const perUser = share('user-reads');
  expect(await statuses(perUser + 1, read)).toEqual([...times(perUser, 200), 429]);
  expect((await read({ acct: friend })).status).toBe(200);
  const others = share('application-reads') - perUser - 1;
  const rest: number[] = [];
  for (let index = 0; index < others + 1; index += 1) rest.push((await read({ acct: 1000 + index })).status);
  expect(rest).toEqual([...times(others, 200), 429]);
  expect((await read({ client_id: 'client-another-one' })).status).toBe(200);
});

test('D53 rejected requests count as well and state the remaining quota', async () => {
  const refused = async () => await api.call('GET /users/is?id=0', { claims: { client_id, acct } });
  const forbidden = async () =>
    await api.call('GET /post/create?message=x', { claims: { client_id, acct, scope: 'email' } });
  const first = [await refused(), await forbidden()];
  expect(first.map(({ status }) => status)).toEqual([400, 403]);
  for (const { headers } of first) expect(headers['ratelimit']).toContain('r=');
  expect(await statuses(share('user-reads') - 1, refused)).toEqual([...times(share('user-reads') - 2, 400), 429]);
});

describe('without a valid token', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const anonymous = async (address: string) =>
    await api.call('GET /users/is?id=1', { claims: null, headers: from(address) });

  test('requests count per address, for all paths', async () => {
    const quota = share('address');
    const first = await anonymous('192.0.2.1');
    expect(first.headers['ratelimit-policy']).toBe(`"address";q=${String(quota)};w=60`);
    const forged = { ...from('192.0.2.1'), authorization: 'Bearer x.y.z' };
    const unknown = await api.get('/api/v2.0/nothing', { ...from('192.0.2.1'), host: 'linnet.example' });
    const broken = await api.call('GET /users/is', { claims: null, headers: forged });
    expect([first.status, unknown.status, broken.status]).toEqual([401, 404, 401]);
    const rest = await statuses(quota - 2, async () => await anonymous('192.0.2.1'));
    expect(rest).toEqual([...times(quota - 3, 401), 429]);
    const { status } = await api.call(`GET /users/is?id=${String(acct)}`, {
      claims: { client_id },
      headers: from('192.0.2.1'),
    });
    expect(status).toBe(200);
  });

  test('the client can choose neither the address nor the second half of an IPv6 address', async () => {
    const quota = share('address');
    for (let index = 0; index < quota; index += 1) await anonymous(`203.0.113.${String(index)}, 192.0.2.7`);
    expect((await anonymous('192.0.2.7')).status).toBe(429);
    for (let index = 0; index < quota; index += 1) await anonymous(`2001:db8::${String(index)}`);
    expect((await anonymous('2001:db8::ffff')).status).toBe(429);
  });
});

describe('limits of single endpoints', () => {
  test('is_email: 60 per minute and application, over all methods and processes', async () => {
    await using other = await startApi(database.url, { signer: api.signer, config: { rateLimits: true } });
    const ask = async (server: RunningApi, method: string) =>
      method === 'GET'
        ? await server.call('GET /auth/is_email?email=a@example.org', { claims: { client_id, acct: friend } })
        : await server.call('POST /auth/is_email', {
            claims: { client_id },
            body: 'email=a@example.org',
            headers: form,
          });
    const responses = [];
    for (let index = 0; index < 60; index += 1) responses.push(await ask(other, index % 2 === 0 ? 'GET' : 'POST'));
    expect(responses.map(({ status }) => status)).toEqual(times(60, 200));
    expect(responses[0]?.headers['ratelimit-policy']).toContain('"is-email";q=60;w=60');
    for (const [server, method] of [
      [other, 'GET'],
      [other, 'POST'],
      [api, 'GET'],
    ] as const) {
      const { status, headers, body } = await ask(server, method);
      expect([status, body.code]).toEqual([429, 'rate-limited']);
      expect(headers['ratelimit']).toMatch(/"is-email";r=0;t=\d+$/);
    }
    const { status } = await other.call('GET /auth/is_email?email=a@example.org', {
      claims: { client_id: 'client-else-0001' },
    });
    expect(status).toBe(200);
  });

  test.each([
    ['GET /account/check_username?username=limited_user', 'check-username'],
    ['POST /auth/register', 'register'],
  ] as const)('%s', async (target, name) => {
    await api.db.prisma.rateLimit.upsert({
      where: { key: `api:${name}:${client_id}` },
      create: {
        key: `api:${name}:${client_id}`,
        points: sharedLimits[name].quota,
        expire: new Date(Date.now() + 20_000),
      },
      update: {},
    });
    const { status, headers } = await api.call(target, { claims: { client_id } });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(15);
  });

  test('the window restarts, and the sweep deletes expired counters', async () => {
    const key = `api:check-username:${client_id}`;
    await api.db.prisma.rateLimit.create({ data: { key, points: 5000, expire: new Date(Date.now() - 1000) } });
    const { headers } = await api.call('GET /account/check_username?username=limited_user', { claims: { client_id } });
    expect(headers['ratelimit']).toMatch(/"check-username";r=599;t=60$/);
    await api.db.prisma.rateLimit.create({ data: { key: 'over', expire: new Date(Date.now() - 1000) } });
    await sweepCounters(api.db);
    expect(await api.db.prisma.rateLimit.findUnique({ where: { key: 'over' } })).toBeNull();
    expect(await api.db.prisma.rateLimit.findUnique({ where: { key } })).not.toBeNull();
  });

  test('need one additional statement, and none at other endpoints', async () => {
    api.statements.length = 0;
    await api.call('GET /account/check_username?username=limited_user', { claims: { client_id } });
    expect(api.statements).toHaveLength(2);
    await read();
    expect(api.statements).toHaveLength(3);
  });
});

test('RATE_LIMITS=off: no counting and no headers', async () => {
  await using free = await startApi(database.url, { config: { rateLimits: false, workers: 100_000 } });
  const before = await api.db.prisma.rateLimit.count();
  const responses = await Promise.all(
    Array.from(
      { length: 70 },
      async () => await free.call('GET /auth/is_email?email=a@example.org', { claims: { client_id } }),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(responses[0]?.headers).not.toHaveProperty('ratelimit');
  expect(await api.db.prisma.rateLimit.count()).toBe(before);
});
