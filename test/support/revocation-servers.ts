import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createApplications } from '@linnet/applications/applications';
import { basic, sendTo } from './auth/running-auth.ts';
import type { Answer, RunningAuth, SentRequest } from './auth/running-auth.ts';
import { createTestDatabase } from './db/test-database.ts';
import type { TestDatabase } from './db/test-database.ts';
import type { DatabaseServer } from './db/test-server.ts';

import { startDatabaseProxy } from './database-proxy.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import { eventually, findFreePort, launch, retryUnavailable, separateServer, statusOf } from './service.ts';
import type { Launched, Variables } from './service.ts';

/** One authorization server and two API servers in separate processes. The second API server uses a database proxy. */
export interface RevocationServers extends AsyncDisposable {
  readonly auth: Pick<RunningAuth, 'baseUrl' | 'send' | 'register' | 'requestToken'>;
  /** The port of the authorization server. */
  readonly authPort: number;
  readonly env: Variables;
  /** Where the authorization server writes its mail. */
  readonly mailDirectory: string;
  readonly database: TestDatabase;
  readonly proxy: DatabaseProxy;
  /** The port of an API server; the index counts as for `callApi`. */
  apiPort(index: number): number;
  /** Starts another API server; resolves as soon as it listens. */
  startApi(): Promise<Launched>;
  /** Status of GET /users/show at an API server; the index counts from 0, including those of `startApi`. */
  callApi(index: number, token: string): Promise<number>;
  /** Like `callApi`, repeated while the status is 503: whether the server accepts the token. */
  decideApi(index: number, token: string): Promise<number>;
  /** JSON response of any endpoint. @throws Error unless the status is 200. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  requestApi(index: number, request: ApiRequest): Promise<any>;
  /** Response of any path of an API server, for example of its pages; repeated while the status is 503. */
  sendApi(index: number, request: SentRequest): Promise<Answer>;
  /** Another authorization server at the same address, with variables of its own. */
  startAuth(more: Variables): Promise<Pick<RunningAuth, 'baseUrl' | 'send'> & AsyncDisposable>;
  /** POSTs a form with client authentication, for example to /oauth/revoke. */
  manage(path: string, client: Credentials, form: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

interface ApiRequest {
  /** Method, and path below /api/v2.0. */
  readonly target: string;
  readonly token: string;
  readonly body?: object;
}

/** The defaults of `register`. The test creates the owner. */
const defaultApplication = {
  name: 'Revocable',
  type: 'confidential',
  owner: 'revocable_owner',
  redirectUris: [],
  scopes: ['users', 'posts', 'email'],
  actAsOwner: false,
} as const;

export async function startRevocationServers(server: DatabaseServer, more: Variables = {}): Promise<RevocationServers> {
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
    ...more,
  };
  const start = async (app: 'auth' | 'api', own: Variables = {}, health?: 'live'): Promise<Launched> =>
    cleanup.use(await startServer(app, { ...env, ...own }, health));
  const auth = await start('auth', { PORT: String(port) });
  const apis = [await start('api'), await start('api', { DATABASE_URL: proxy.url })];
  const host = new URL(origin).host;
  const send: RunningAuth['send'] = async (request) => await sendTo(auth.port, withHost(request, host));
  const post = createPost(send);
  const showUser = async (index: number, token: string) => await sendShow(apis[index]?.port ?? 0, host, token);
  return {
    database,
    proxy,
    authPort: auth.port,
    env,
    mailDirectory: join(auth.dataDir, 'mail'),
    startApi: async () => {
      const launched = await start('api', {}, 'live');
      apis.push(launched);
      return launched;
    },
    auth: {
      baseUrl: origin,
      send,
      register: async (application) =>
        await createApplications(database.db).create({ ...defaultApplication, ...application }),
      requestToken: async (form, headers) => await post('/oauth/token', form, headers),
    },
    apiPort: (index) => apis[index]?.port ?? 0,
    callApi: async (index, token) => (await showUser(index, token)).status,
    decideApi: async (index, token) => (await retryUnavailable(async () => await showUser(index, token))).status,
    sendApi: async (index, request) =>
      await retryUnavailable(async () => await sendTo(apis[index]?.port ?? 0, withHost(request, host))),
    startAuth: async (own) => await startAnotherAuth({ ...env, ...own }, host),
    requestApi: async (index, request) => await requestApi(apis[index]?.port ?? 0, host, request),
    manage: createManage(post),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

function withHost(request: SentRequest, host: string): SentRequest {
  return { ...request, headers: { host, ...request.headers } };
}

async function startAnotherAuth(env: Variables, host: string): ReturnType<RevocationServers['startAuth']> {
  const launched = await startServer('auth', env);
  return {
    baseUrl: env['BASE_URL'] ?? '',
    send: async (request) => await sendTo(launched.port, withHost(request, host)),
    [Symbol.asyncDispose]: async () => {
      await launched[Symbol.asyncDispose]();
    },
  };
}

async function sendShow(port: number, host: string, token: string): Promise<Answer> {
  const headers = { host, accept: 'application/json', authorization: `Bearer ${token}` };
  return await sendTo(port, { path: '/api/v2.0/users/show', headers });
}

async function requestApi(port: number, host: string, { target, token, body }: ApiRequest): Promise<Answer['json']> {
  const [method = 'GET', path = ''] = target.split(' ');
  const type = { 'content-type': 'application/json' };
  const headers = { host, accept: 'application/json', authorization: `Bearer ${token}`, ...(body ? type : {}) };
  const sent = { method, path: `/api/v2.0${path}`, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const { status, json, text } = await retryUnavailable(async () => await sendTo(port, sent));
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

function createManage(post: ReturnType<typeof createPost>): RevocationServers['manage'] {
  return async (path, { clientId, clientSecret }, form) =>
    clientSecret === undefined
      ? await post(path, { ...form, client_id: clientId })
      : await post(path, form, basic(clientId, clientSecret));
}

async function startServer(app: 'auth' | 'api', env: Variables, health = 'ready'): Promise<Launched> {
  const launched = await launch({ env, command: [...separateServer, app] });
  const url = `http://127.0.0.1:${String(launched.port)}/health/${health}`;
  await eventually(`${app} is ${health}`, async () => (await statusOf(url)) === 200);
  return launched;
}

/** What both API servers responded until they rejected a token. */
export interface ObservedRejection {
  /**
   * When each server got the last request that it accepted (`performance.now()` before it was sent). A response that
   * arrives late on a busy machine says nothing about when the server decided; infinite if the server never rejected.
   */
  readonly acceptedUntil: readonly number[];
  /** Statuses other than 200, 401 and 503. A server that does not know what was revoked responds 503. */
  readonly others: readonly number[];
}

/** Calls two API servers repeatedly until both reject the token. */
export async function observeRejection(
  { callApi }: Pick<RevocationServers, 'callApi'>,
  token: string,
): Promise<ObservedRejection> {
  const deadline = performance.now() + observationMs;
  const others: number[] = [];
  const observe = async (index: number): Promise<number> => {
    let acceptedUntil = 0;
    let rejections = 0;
    // A single 401 could come from one of several processes: rejected means twenty times in a row.
    while (rejections < 20) {
      if (performance.now() > deadline) return Number.POSITIVE_INFINITY;
      const sentAt = performance.now();
      const status = await callApi(index, token);
      if (status === 401) rejections += 1;
      else if (status === 200) [acceptedUntil, rejections] = [sentAt, 0];
      else if (status !== 503) others.push(status);
      await delay(2);
    }
    return acceptedUntil;
  };
  return { acceptedUntil: await Promise.all([observe(0), observe(1)]), others };
}

/** Only ends the observation of a server that never rejects the token. */
const observationMs = 60_000;
