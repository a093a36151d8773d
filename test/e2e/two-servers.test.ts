import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startDatabaseProxy } from '../support/database-proxy.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';
import { eventually, findFreePort, launch, separateServer, statusOf } from '../support/service.ts';
import type { Launched, Variables } from '../support/service.ts';
import { createApiCaller, createClient, getJson, requestToken } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';

/** Each server in a separate process, behind a proxy at BASE_URL (decision D1). */

let database: TestDatabase;
let baseUrl: string;
let auth: Launched;
let api: Launched;
let proxy: AsyncDisposable;
let client: Client;

const secretKeys = 'a secret of forty characters or somewhat more';

async function start(server: 'auth' | 'api', env: Variables): Promise<Launched> {
  const launched = await launch({ env, command: [...separateServer, server] });
  await eventually(
    `${server} is ready\n${launched.stderr()}`,
    async () => (await statusOf(`http://127.0.0.1:${String(launched.port)}/health/live`)) === 200,
  );
  return launched;
}

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  const port = await findFreePort();
  baseUrl = `http://localhost:${String(port)}`;
  const env = { BASE_URL: baseUrl, DATABASE_URL: database.url, SECRET_KEYS: secretKeys };
  auth = await start('auth', env);
  api = await start('api', env);
  proxy = await startReverseProxy(port, { auth: auth.port, api: api.port });
  client = await createClient(env, 'ada_lovelace');
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await auth[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function token(): Promise<string> {
  const { status, body } = await requestToken(baseUrl, client);
  expect(status).toBe(200);
  return body.access_token;
}

test('the API server accepts tokens of the authorization server', async () => {
  const call = createApiCaller(baseUrl, await token());
  const { status, body } = await call('POST /post/create', { message: 'Hello from two servers' });
  expect([status, body.items?.user.username]).toEqual([200, 'ada_lovelace']);
  expect(body.items.link).toBe(`${baseUrl}/p/${String(body.items.id)}`);
  await eventually(
    'the API has read the keys',
    async () => (await statusOf(`http://127.0.0.1:${String(api.port)}/health/ready`)) === 200,
  );
});

test('D1 the metadata of both servers names the same origin', async () => {
  const { body: resource } = await getJson(`${baseUrl}/.well-known/oauth-protected-resource/api/v2.0`);
  const { body: server } = await getJson(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`);
  expect([resource.resource, server.issuer, server.token_endpoint]).toEqual([
    `${baseUrl}/api/v2.0`,
    baseUrl,
    `${baseUrl}/oauth/token`,
  ]);
});

test('the API server serves the reference page, and the document names the public URL', async () => {
  const page = await fetch(`${baseUrl}/api/v2.0/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+\?v=[^"]+)"/g)].map(([, path = '']) => path);
  expect(files).toHaveLength(4);
  for (const path of files) {
    const { status } = await fetch(baseUrl + path, { method: 'HEAD' });
    expect([path, status]).toEqual([path, 200]);
  }
  const document = await getJson(`${baseUrl}/api/v2.0/openapi.json`);
  expect([document.status, document.body.servers]).toEqual([200, [{ url: `${baseUrl}/api/v2.0` }]]);
});

test('R10 the API accepts issued tokens while the authorization server is down, which stops and starts cleanly', async () => {
  const call = createApiCaller(baseUrl, await token());
  await call('GET /users/show');
  const { env } = auth;
  auth.process.kill('SIGTERM');
  expect(await auth.exited).toEqual({ exitCode: 0, signal: null });
  expect((await requestToken(baseUrl, client)).status).toBe(502);
  expect((await call('GET /users/show')).status).toBe(200);
  auth = await start('auth', env);
  expect((await requestToken(baseUrl, client)).status).toBe(200);
});

test('R10 tokens are issued while the API server is down, which stops and starts cleanly', async () => {
  const { env } = api;
  api.process.kill('SIGINT');
  expect(await api.exited).toEqual({ exitCode: 0, signal: null });
  const accessToken = await token();
  api = await start('api', env);
  expect((await createApiCaller(baseUrl, accessToken)('GET /users/show')).status).toBe(200);
});

test.each(['auth', 'api'])('%s does not start without BASE_URL, and lists every problem', async (server) => {
  await using launched = await launch({
    env: { DATABASE_URL: 'mysql://x', PORT: 'many' },
    command: [...separateServer, server],
  });
  expect(await launched.exited).toEqual({ exitCode: 1, signal: null });
  const problems = launched.stderr().trim().split('\n');
  expect(new Set(problems.map((line) => line.split(':')[0]))).toEqual(new Set(['BASE_URL', 'DATABASE_URL', 'PORT']));
});

test.each(['auth', 'api'] as const)(
  '%s starts behind a pooler that rejects start-up options: it checks the migrations on DATABASE_DIRECT_URL',
  async (server) => {
    await using pooler = await startDatabaseProxy(database.url);
    pooler.cutConnectionsThatSend('options\0');
    const env = { BASE_URL: baseUrl, DATABASE_URL: pooler.url, DATABASE_PREPARE: 'off', SECRET_KEYS: secretKeys };
    await using refused = await launch({ env, command: [...separateServer, server] });
    expect(await refused.exited).toEqual({ exitCode: 1, signal: null });
    await using launched = await start(server, { ...env, DATABASE_DIRECT_URL: database.url });
    await eventually(
      `${server} is ready`,
      async () => (await statusOf(`http://127.0.0.1:${String(launched.port)}/health/ready`)) === 200,
    );
  },
);

test.each(['auth', 'api'])('%s exits with one line when the database is down', async (server) => {
  await using launched = await launch({
    env: { BASE_URL: baseUrl, DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none', SECRET_KEYS: secretKeys },
    command: [...separateServer, server],
  });
  expect(await launched.exited).toEqual({ exitCode: 1, signal: null });
  expect(launched.stderr().trim().split('\n')).toEqual([expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED/)]);
});
