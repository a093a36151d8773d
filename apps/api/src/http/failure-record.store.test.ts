// Failed requests are recorded for the owner of the application, without what the client sent.
import { findFailures } from '@linnet/applications/failure-store';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { startApi } from '../testing/running-api.ts';
import type { RunningApi } from '../testing/running-api.ts';

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
  }, 15_000);
  expect(failure).toMatchObject({
    ...{ kind: 'api', error, cause, status: response.status, endpoint: '/api/v2.0/users/show', reason: '' },
    details: { method: 'GET', ...details },
    requestId: response.headers['x-request-id'],
  });
  expect(JSON.stringify(failure)).not.toContain('secret_name');
});

test('a successful request records nothing', async () => {
  const clientId = await createApplication();
  await api.call('GET /users/show?username=owner_of_failures', { claims: { client_id: clientId } });
  await api.call('GET /users/show?id=x', { claims: { client_id: clientId } });
  await vi.waitFor(async () => {
    expect((await findFailures(database.db, clientId)).list).toHaveLength(1);
  }, 15_000);
});
