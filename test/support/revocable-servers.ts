import { setTimeout as delay } from 'node:timers/promises';

import { createApplications } from '@linnet/applications/applications';
import { basic, sendTo } from '@linnet/auth/testing/running-auth';
import type { Answer, RunningAuth } from '@linnet/auth/testing/running-auth';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import type { DatabaseServer } from '@linnet/db/test-server';

import { startDatabaseProxy } from './database-proxy.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import { eventually, findFreePort, launch, statusOf } from './service.ts';
import type { Launched, Variables } from './service.ts';

/** An authorization server, and two API servers of which the second reaches the database by a proxy. */
export interface RevocableServers extends AsyncDisposable {
  readonly auth: Pick<RunningAuth, 'baseUrl' | 'send' | 'register' | 'requestToken'>;
  /** Where the authorization server listens. */
  readonly authPort: number;
  readonly env: Variables;
  readonly database: TestDatabase;
  readonly proxy: DatabaseProxy;
  /** Starts one more API server; resolves as soon as it listens. */
  startApi(): Promise<Launched>;
  /** GET /users/show at an API server, of which there are two or, with `startApi`, more; its status. */
  callApi(index: number, token: string): Promise<number>;
  /** Calls an endpoint of one of them, with `body` as JSON; what it answers, which is a success. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  askApi(index: number, call: ApiCall): Promise<any>;
  /** Asks a server of the authorization server's with credentials, such as /oauth/revoke. */
  manage(path: string, client: Credentials, form: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

interface ApiCall {
  /** Method, and path below /api/v2.0. */
  readonly target: string;
  readonly token: string;
  readonly body?: object;
}

/** What `register` registers when nothing else is asked for; the owner is for the test to create. */
const plainApplication = {
  name: 'Revocable',
  type: 'confidential',
  owner: 'revocable_owner',
  redirectUris: [],
  scopes: ['users', 'posts', 'email'],
  actAsOwner: false,
} as const;

export async function startRevocableServers(server: DatabaseServer): Promise<RevocableServers> {
  const cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await createTestDatabase(server));
  const proxy = cleanup.use(await startDatabaseProxy(database.url));
  const port = await findFreePort();
  const origin = `http://localhost:${String(port)}`;
  const env = {
    BASE_URL: origin,
    DATABASE_URL: database.url,
    SECRET_KEYS: 'a secret of every process here',
    RATE_LIMITS: 'off',
  };
  const start = async (app: 'auth' | 'api', more: Variables = {}, health?: 'live'): Promise<Launched> =>
    cleanup.use(await startServer(app, { ...env, ...more }, health));
  const auth = await start('auth', { PORT: String(port) });
  const apis = [await start('api'), await start('api', { DATABASE_URL: proxy.url })];
  const host = new URL(origin).host;
  const send: RunningAuth['send'] = async (request) =>
    await sendTo(auth.port, { ...request, headers: { host, ...request.headers } });
  const post = createPost(send);
  return {
    database,
    proxy,
    authPort: auth.port,
    env,
    startApi: async () => {
      const launched = await start('api', {}, 'live');
      apis.push(launched);
      return launched;
    },
    auth: {
      baseUrl: origin,
      send,
      register: async (application) =>
        await createApplications(database.db).create({ ...plainApplication, ...application }),
      requestToken: async (form, headers) => await post('/oauth/token', form, headers),
    },
    callApi: async (index, token) => {
      const headers = { host, accept: 'application/json', authorization: `Bearer ${token}` };
      return (await sendTo(apis[index]?.port ?? 0, { path: '/api/v2.0/users/show', headers })).status;
    },
    askApi: async (index, call) => await askApi(apis[index]?.port ?? 0, host, call),
    manage: async (path, { clientId, clientSecret }, form) =>
      clientSecret === undefined
        ? await post(path, { ...form, client_id: clientId })
        : await post(path, form, basic(clientId, clientSecret)),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

async function askApi(port: number, host: string, { target, token, body }: ApiCall): Promise<Answer['json']> {
  const [method = 'GET', path = ''] = target.split(' ');
  const type = { 'content-type': 'application/json' };
  const headers = { host, accept: 'application/json', authorization: `Bearer ${token}`, ...(body ? type : {}) };
  const sent = { method, path: `/api/v2.0${path}`, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const { status, json, text } = await sendTo(port, sent);
  if (status !== 200) throw new Error(`${target}: ${String(status)} ${text}`);
  return json;
}

function createPost(send: RunningAuth['send']) {
  return async (path: string, form: Readonly<Record<string, string>> | string, headers = {}): Promise<Answer> =>
    await send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
}

async function startServer(app: 'auth' | 'api', env: Variables, health = 'ready'): Promise<Launched> {
  const launched = await launch({ env, command: [process.execPath, `apps/${app}/bin/start.mjs`] });
  const url = `http://127.0.0.1:${String(launched.port)}/health/${health}`;
  await eventually(`${app} is ${health}`, async () => (await statusOf(url)) === 200, 40_000);
  return launched;
}

/** What both API servers answered until they refused. */
export interface Observed {
  /** When each server accepted the token last (`performance.now()`); infinite when it goes on doing so. */
  readonly acceptedUntil: readonly number[];
  /** Statuses other than 200 and 401. */
  readonly others: readonly number[];
}

/** Asks both API servers without pause until they refuse, for five seconds at most. */
export async function observeRefusal(servers: RevocableServers, token: string): Promise<Observed> {
  const began = performance.now();
  const others: number[] = [];
  const observe = async (index: number): Promise<number> => {
    let acceptedUntil = 0;
    let refusals = 0;
    // Refused for good: twenty times one after the other.
    while (performance.now() - began < observeMs && refusals < 20) {
      const status = await servers.callApi(index, token);
      refusals = status === 401 ? refusals + 1 : 0;
      if (status === 200) acceptedUntil = performance.now();
      else if (status !== 401) others.push(status);
      await delay(2);
    }
    return refusals === 0 ? Number.POSITIVE_INFINITY : acceptedUntil;
  };
  return { acceptedUntil: await Promise.all([observe(0), observe(1)]), others };
}

const observeMs = 5000;
