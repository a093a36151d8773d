// Failed requests are recorded for the owner of the application, without what the client sent.
import { findFailures } from '@linnet/applications/failures/failure-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { createLogger } from '@linnet/service/log/logger';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { ApiError } from './api-error.ts';
import { createFailureRecord } from './problem.ts';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let api: RunningApi;
let ownerId: bigint;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  ownerId = BigInt((await api.register('owner_of_failures')).id);
});
afterAll(() => cleanup.disposeAsync());

let applications = 0;

async function createApplication(): Promise<string> {
  applications += 1;
  const clientId = `app_of_failures_${String(applications)}`;
  const application = { clientId, ownerId, name: clientId, type: 'confidential' as const, scopes: ['users'] };
  await database.db.prisma.application.create({ data: application });
  return clientId;
}

const long = 3600;
const now = () => Math.floor(Date.now() / 1000);

test.each<[target: string, claims: () => object, error: string, cause: string | undefined, details: object]>([
  ['GET /users/show?id=x', () => ({}), 'invalid-parameter', undefined, { parameters: ['id'] }],
  ['GET /users/show?username=secret_name', () => ({}), 'not-found', undefined, {}],
  ['GET /users/show', () => ({ scope: 'email' }), 'insufficient_scope', undefined, { scopes: ['users:read'] }],
  [
    'GET /users/show',
    () => ({ iat: now() - 2 * long, exp: now() - long }),
    'invalid_token',
    'token_expired',
    { issuedAt: expect.any(String), expiresAt: expect.any(String) },
  ],
])('%s %#', async (target, claims, error, cause, details) => {
  const clientId = await createApplication();
  const response = await api.call(target, { claims: { ...claims(), client_id: clientId } });
  const failure = await vi.waitFor(async () => {
    const { list } = await findFailures(database.db, clientId);
    expect(list).toHaveLength(1);
    return list[0];
  }, 50_000);
  expect(failure).toMatchObject({
    ...{ kind: 'api', error, cause, status: response.status, endpoint: '/api/v2.0/users/show', reason: '' },
    details: { method: 'GET', ...details },
    requestId: response.headers['x-request-id'],
  });
  expect(JSON.stringify(failure)).not.toContain('secret_name');
});

/** Waits until exactly one failure of the application is stored, and returns it as text. */
async function findRecorded(clientId: string, expected: object): Promise<string> {
  return await vi.waitFor(async () => {
    const { list } = await findFailures(database.db, clientId);
    expect(list).toEqual([expect.objectContaining({ kind: 'api', ...expected })]);
    return JSON.stringify(list);
  }, 50_000);
}

test('a revoked token (401) is recorded for its application', async () => {
  const clientId = await createApplication();
  const call = async () =>
    await api.call('GET /users/show?username=owner_of_failures', { claims: { client_id: clientId, ce: 0 } });
  expect((await call()).status).toBe(200);
  await database.db.prisma.application.update({ where: { clientId }, data: { epoch: 1 } });
  const rejected = await vi.waitFor(async () => {
    const response = await call();
    expect(response.status).toBe(401);
    return response;
  }, 50_000);
  const requestId = rejected.headers['x-request-id'];
  await findRecorded(clientId, { error: 'invalid_token', cause: 'token_revoked', status: 401, requestId });
});

const json = { 'content-type': 'application/json' };

test('a conflict (409) is recorded with its parameter, and without what was sent', async () => {
  const clientId = await createApplication();
  const taken = { first_name: 'A', last_name: 'B', username: 'owner_of_failures', email: 'secret@example.org' };
  const body = JSON.stringify({ ...taken, password: 'nanosecond' });
  const { status } = await api.call('POST /auth/register', { claims: { client_id: clientId }, headers: json, body });
  expect(status).toBe(409);
  const details = { method: 'POST', parameters: ['username'] };
  const stored = await findRecorded(clientId, { error: 'username-taken', cause: undefined, status: 409, details });
  expect(stored).not.toMatch(/secret|nanosecond/);
});

test('a reused idempotency key (422) is recorded, without the key', async () => {
  const clientId = await createApplication();
  const headers = { ...json, 'idempotency-key': 'secret-key' };
  const post = async (message: string) => {
    const claims = { client_id: clientId, acct: Number(ownerId) };
    return (await api.call('POST /post/create', { claims, headers, body: JSON.stringify({ message }) })).status;
  };
  expect([await post('first'), await post('second')]).toEqual([200, 422]);
  const stored = await findRecorded(clientId, { error: 'idempotency-key-reused', status: 422 });
  expect(stored).not.toMatch(/secret-key|second/);
});

test('an exceeded rate limit (429) is recorded with its name', async () => {
  const clientId = await createApplication();
  // Each of so many processes allows one request.
  await using limited = await startApi(database.url, { config: { rateLimits: true, workers: 100_000 } });
  const call = async () =>
    (await limited.call('GET /users/show?username=owner_of_failures', { claims: { client_id: clientId } })).status;
  expect([await call(), await call()]).toEqual([200, 429]);
  const details = { method: 'GET', limit: 'application-reads' };
  await findRecorded(clientId, { error: 'rate-limited', status: 429, details });
});

test('names of parameters that PostgreSQL cannot store lose no failure, neither their own nor that of another', async () => {
  const [sender, other] = [await createApplication(), await createApplication()];
  const send = async (clientId: string, name: string) => {
    const claims = { client_id: clientId, acct: Number(ownerId) };
    const body = JSON.stringify({ message: '', [name]: 1 });
    return (await api.call('POST /post/create', { claims, headers: json, body })).status;
  };
  const names = ['a[\0', 'a[\uD800', `[${'a'.repeat(5000)}`];
  const statuses = await Promise.all([...names.map((name) => send(sender, name)), send(other, 'a[')]);
  expect(statuses).toEqual([400, 400, 400, 400]);
  await vi.waitFor(async () => {
    const counts = [sender, other].map(async (clientId) =>
      (await findFailures(database.db, clientId)).list.reduce((sum, { times }) => sum + times, 0),
    );
    expect(await Promise.all(counts)).toEqual([3, 1]);
  }, 50_000);
});

test('a failure that the database rejects loses no other', async () => {
  const [broken, other] = [await createApplication(), await createApplication()];
  const lost: object[] = [];
  const logger = Object.assign(createLogger({ level: 'silent', pretty: false }), {
    error: (entry: object) => void lost.push(entry),
  });
  const record = createFailureRecord({ db: database.db, logger });
  const fail = (clientId: string, route: string) =>
    record({ request: { method: 'GET' }, state: { clientId, route } }, new ApiError('not-found'));
  let route = '/';
  // The first is a batch of its own.
  for (const clientId of [other, other, broken, other]) {
    route += 'x';
    fail(clientId, clientId === broken ? 'x'.repeat(1000) : route);
  }
  await vi.waitFor(async () => {
    expect((await findFailures(database.db, other)).list).toHaveLength(3);
    expect(lost).toEqual([expect.objectContaining({ count: 1 })]);
  }, 50_000);
});

test('a successful request records nothing', async () => {
  const clientId = await createApplication();
  await api.call('GET /users/show?username=owner_of_failures', { claims: { client_id: clientId } });
  await api.call('GET /users/show?id=x', { claims: { client_id: clientId } });
  await vi.waitFor(async () => {
    expect((await findFailures(database.db, clientId)).list).toHaveLength(1);
  }, 50_000);
});
