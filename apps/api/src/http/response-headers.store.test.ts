import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** HT5, Details 12. */
const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url, { config: { rateLimits: true } }));
});
afterAll(() => cleanup.disposeAsync());

const origin = 'https://app.example';
const list = (header: string | string[] | undefined) => String(header).split(', ');

async function preflight(path: string, method: string, headers = 'authorization,content-type,idempotency-key') {
  return await api.call(`OPTIONS ${path}`, {
    claims: null,
    headers: {
      accept: '',
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    },
  });
}

describe.each(Object.values(routesByName).map((route) => [route.path, route] as const))('%s', (path, route) => {
  test('a preflight without a token: 204 with the allowed methods and headers', async () => {
    for (const method of route.methods) {
      const { status, headers, text } = await preflight(path, method);
      expect([status, text]).toEqual([204, '']);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(list(headers['access-control-allow-methods'])).toContain(method);
      expect(list(headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key']),
      );
      expect(headers['access-control-max-age']).toBe('7200');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers).not.toHaveProperty('ratelimit');
    }
  });

  test('does not allow other methods', async () => {
    const { headers } = await preflight(path, 'DELETE');
    expect(list(headers['access-control-allow-methods'])).not.toContain('DELETE');
    expect(list(headers['access-control-allow-methods']).includes('HEAD')).toBe(
      !route.writes && route.methods.includes('GET'),
    );
  });

  test('a plain OPTIONS: 204 with Allow', async () => {
    const { status, headers } = await api.call(`OPTIONS ${path}`, { claims: null, headers: { accept: '' } });
    expect(status).toBe(204);
    expect(list(headers['allow'])).toEqual(expect.arrayContaining([...route.methods, 'OPTIONS']));
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });
});

test('every origin can read responses and their headers', async () => {
  const { id } = await api.register('cors_user');
  const { status, headers } = await api.call(`GET /users/is?id=${String(id)}`, { headers: { origin } });
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(list(headers['access-control-expose-headers'])).toEqual(
    expect.arrayContaining(['Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotency-Replayed']),
  );
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test('every origin can read errors: 400, 401, 404, 405, 406, 429, 503', async () => {
  await using away = await startApi('postgresql://nobody@127.0.0.1:9/none');
  await using small = await startApi(database.url, { config: { rateLimits: true, workers: 100_000 } });
  const headers = { origin };
  await small.call('GET /users/is?id=1', { headers });
  const responses = [
    await api.call('GET /users/is', { headers }),
    await api.call('GET /users/is?id=1', { claims: null, headers }),
    await api.call('GET /nothing', { headers }),
    await api.call('DELETE /users/is', { headers }),
    await api.call('GET /users/is?id=1', { headers: { ...headers, accept: 'text/html' } }),
    await small.call('GET /users/is?id=1', { headers }),
    await away.call('GET /users/is?id=1', { headers }),
  ];
  expect(responses.map(({ status, headers: sent }) => [status, sent['access-control-allow-origin']])).toEqual(
    [400, 401, 404, 405, 406, 429, 503].map((status) => [status, '*']),
  );
});

test('Details 12 a preflight of an unknown path succeeds, so that the 404 can be read', async () => {
  const { status, headers } = await preflight('/nothing', 'POST');
  expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
  expect(list(headers['access-control-allow-methods'])).toContain('POST');
  expect((await api.call('OPTIONS /nothing', { claims: null })).status).toBe(404);
});

test('every origin can read the resource metadata, but not default avatars', async () => {
  const metadata = await api.get('/.well-known/oauth-protected-resource/api/v2.0', { origin });
  expect([metadata.status, metadata.headers['access-control-allow-origin']]).toEqual([200, '*']);
  const avatar = await api.get('/media/avatars/0123456789abcdef.png', { origin });
  expect(avatar.headers).not.toHaveProperty('access-control-allow-origin');
});
