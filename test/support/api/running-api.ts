import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { createAccounts } from '@linnet/accounts/accounts';
import type { Account } from '@linnet/accounts/account';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createRevocationFeed } from '@linnet/revocations/feed';
import { serve } from '@linnet/service/http/http-server';
import type { RequestHandler } from '@linnet/service/http/http-server';
import { createLogger } from '@linnet/service/log/logger';
import { Secret } from '@linnet/service/config/secret';
import { inject } from 'vitest';

import { createApiApp } from '@linnet/api/app';
import type { ApiApp, ApiDependencies } from '@linnet/api/app';
import type { ApiConfig } from '@linnet/api/config';
import { createResponseCheck } from './documented-responses.ts';
import { createSigner } from './signer.ts';
import type { Signer } from './signer.ts';

const host = '127.0.0.1';
const publicHost = 'linnet.example';
const baseUrl = `https://${publicHost}`;
const checkResponse = createResponseCheck(baseUrl);

export type Body = string | Uint8Array<ArrayBuffer> | FormData;

interface CallOptions {
  /** Claims of the token; `null` omits the Authorization header. Default: a token of the application alone. */
  readonly claims?: Readonly<Record<string, unknown>> | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or the text of other content. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  readonly body: any;
  /** The body as received. */
  readonly text: string;
}

/** The API over real HTTP, with its own database and tokens signed by the test. */
export interface RunningApi extends AsyncDisposable {
  readonly db: Db;
  readonly app: ApiApp;
  readonly port: number;
  readonly dataDir: string;
  readonly signer: Signer;
  /** Statements of requests since the test last emptied the list: neither the revocation feed nor what is stored every second. */
  readonly statements: string[];
  /** Statements of the revocation feed. */
  readonly feedStatements: string[];
  /** Log lines. */
  readonly log: string[];
  /**
   * `target` is the method and the path below /api/v2.0, such as `GET /post/show?id=1`, sent unchanged.
   * @throws Error when the response differs from the OpenAPI document.
   */
  call(target: string, options?: CallOptions): Promise<Response>;
  /** GET of any path without a token. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  register(username: string): Promise<Account>;
}

interface ApiOptions {
  /** As another host would have them. */
  readonly shared?: (db: Db) => Pick<ApiDependencies, 'cache' | 'replicas' | 'metrics'>;
  /** The signer of another server, so that both accept the same tokens. */
  readonly signer?: Signer;
  /** The path of plain requests; default: that of the test run. */
  readonly path?: Path;
  /** Overrides the test configuration, in which rate limits are off. */
  readonly config?: Partial<ApiConfig>;
}

const testConfig = {
  baseUrl,
  serviceName: 'linnet',
  secretKeys: [new Secret('a key of the tests, long enough')],
  media: { store: 'file', bucket: undefined, url: undefined },
  mediaFetchAllow: [],
  siteLinks: {},
  webClient: true,
  linkCards: true,
  responseChecks: 'every',
  rateLimits: false,
  directPath: true,
  apiExplorer: true,
  registration: 'open',
  mayPeopleInvite: false,
  trustProxy: 0,
  workers: 1,
} satisfies Omit<ApiConfig, 'dataDir'>;

/** Tables that requests write to later, together. */
const storedEverySecond = /INTO (?:request_log|endpoint_usage)\b/;

function collectInto(statements: string[]): (sql: string) => void {
  return (sql) => {
    if (!storedEverySecond.test(sql)) statements.push(sql);
  };
}

export async function startApi(databaseUrl: string, options: ApiOptions = {}): Promise<RunningApi> {
  const statements: string[] = [];
  const log: string[] = [];
  const onStatement = collectInto(statements);
  const db = openDatabase({ url: databaseUrl, poolSize: 10, prepare: true, onStatement });
  const dataDir = options.config?.dataDir ?? (await mkdtemp(join(tmpdir(), 'linnet-api-')));
  const signer = options.signer ?? (await createSigner(baseUrl));
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => log.push(line) } });
  const { feed, feedStatements, closeFeed } = openFeed(databaseUrl);
  const tokenOf = shareTokens(signer);
  const app = createApiApp({
    config: { ...testConfig, dataDir, ...options.config },
    loadKeys: async () => [signer.publicJwk],
    ...{ db, feed, logger },
    ...options.shared?.(db),
  });
  const handler = chooseHandler(app, options.path ?? inject('apiPath'));
  const server = await serve({ ...app, handler, baseUrl: options.config?.baseUrl ?? baseUrl, host, port: 0, logger });

  return {
    db,
    signer,
    app,
    port: server.port,
    dataDir,
    statements,
    feedStatements,
    log,
    call: async (target, { claims = {}, headers = {}, body } = {}) => {
      const [method = 'GET', path = '/'] = target.split(' ');
      const authorization = claims === null ? {} : { authorization: `Bearer ${await tokenOf(claims)}` };
      const response = await send(server.port, {
        method,
        path: `/api/v2.0${path}`,
        headers: { accept: 'application/json', ...authorization, ...headers },
        body,
      });
      checkResponse({ target, contentType: response.headers['content-type'] ?? '', ...response });
      return response;
    },
    get: async (path, headers = {}) => await send(server.port, { method: 'GET', path, headers, body: undefined }),
    register: async (username) => await register(db, username),
    [Symbol.asyncDispose]: async () => {
      await server.drain({ lingerMs: 0, finishMs: 1000 });
      await closeFeed();
      await app[Symbol.asyncDispose]();
      if (options.config?.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      await db[Symbol.asyncDispose]();
    },
  };
}

/** Calls with the same claims in the same second share a token: signing and verifying it takes a third of a call's time. */
function shareTokens(signer: Signer): (claims: Readonly<Record<string, unknown>>) => Promise<string> {
  const tokens = new Map<string, Promise<string>>();
  let signedIn = 0;
  return async (claims) => {
    const second = Math.floor(Date.now() / 1000);
    if (second !== signedIn) tokens.clear();
    signedIn = second;
    const key = JSON.stringify(claims);
    const token = tokens.get(key) ?? signer.sign(claims);
    tokens.set(key, token);
    return await token;
  };
}

/** The path that plain requests take: the direct one, Koa's, or each in turn. */
type Path = 'direct' | 'complete' | 'mixed';

function chooseHandler({ handler, completeHandler }: ApiApp, path: Path): RequestHandler {
  if (path === 'direct') return handler;
  if (path === 'complete') return completeHandler;
  let requests = 0;
  return (received, response) => {
    requests += 1;
    (requests % 2 === 0 ? handler : completeHandler)(received, response);
  };
}

/** The revocation feed on its own connection, as in a real process. */
function openFeed(databaseUrl: string) {
  const feedStatements: string[] = [];
  const onStatement = (sql: string) => void feedStatements.push(sql);
  const db = openDatabase({ url: databaseUrl, poolSize: 1, prepare: true, onStatement });
  const feed = createRevocationFeed({ db, onError: () => undefined });
  const closeFeed = async () => {
    await feed[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
  };
  return { feed, feedStatements, closeFeed };
}

const password = 'correct horse';
/** Of `password`, made once in a process: a hash takes tens of milliseconds of CPU time. */
let passwordHash: Promise<string> | undefined;

async function register(db: Db, username: string): Promise<Account> {
  const accounts = createAccounts(db);
  passwordHash ??= accounts.hashPassword(password);
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  const registration = { ...names, email: `${username}@example.org`, password, username };
  return await accounts.registerInTransaction(db, registration, await passwordHash);
}

function decode(octets: Buffer, encoding: string | undefined): Buffer {
  if (octets.length === 0) return octets;
  if (encoding === 'br') return brotliDecompressSync(octets);
  return encoding === 'gzip' ? gunzipSync(octets) : octets;
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
}

/** Uses node:http, because fetch normalizes paths, Host and Accept. Omits empty headers. */
async function send(port: number, { method, path, headers, body }: SentRequest): Promise<Response> {
  const encoded = new globalThis.Response(body ?? null);
  const octets = Buffer.from(await encoded.arrayBuffer());
  const type = encoded.headers.get('content-type');
  const sent = {
    host: publicHost,
    ...(body === undefined ? {} : { 'content-length': String(octets.length) }),
    ...(type === null ? {} : { 'content-type': type }),
    ...headers,
  };
  const present = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = request({ host, port, method, path, headers: present }, (response) => {
    buffer(response).then((sentBack) => {
      const received = decode(sentBack, response.headers['content-encoding']).toString();
      const isJson = response.headers['content-type']?.includes('json') === true && received !== '';
      const parsed: unknown = isJson ? JSON.parse(received) : received;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed, text: received });
    }, reject);
  });
  outgoing.on('error', reject);
  outgoing.end(octets);
  return await promise;
}
