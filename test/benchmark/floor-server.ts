/**
 * The floor of four calls: what Node.js and PostgreSQL allow. A bare node:http server that sends the bytes that Linnet sends, and
 * writes its log line. `pnpm bench` compares both responses before it measures (`floor.ts`).
 *
 * It shares with Linnet what reaches PostgreSQL: the statements of the stores, and the pool, prepared statements and batches of
 * packages/db. It has code of its own for everything else.
 * It leaves out: routes, validation, refusals, scopes, revocations, idempotency keys, limits that refuse or that processes share,
 * compression, metrics, traces, the audit log, protected accounts, pictures of cards, words that a reader filters, the parts of
 * a text but for hashtags and addresses, events of streams and webhooks, and the end of connections when it stops.
 */
import {
  createPublicKey,
  generateKeyPairSync,
  hash,
  randomBytes,
  randomUUID,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { openSync, write } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';

import { choosePoolSize } from '@linnet/db/connection/pool-size';
import { openDatabase } from '@linnet/db/database';
import { createEs256Signer } from '@linnet/keys/es256';
import type { PrivateEs256Jwk } from '@linnet/keys/signing-key';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findPost } from '@linnet/social/post/post-store';
import { likes } from '@linnet/social/reaction/reaction-store';

import { toPostOfFloor } from './floor-post.ts';
import type { FloorOptions } from './floor.ts';

const { baseUrl, databaseUrl, workers, clients, logFile, port }: FloorOptions = JSON.parse(process.argv[2] ?? '');

const sessions = { url: databaseUrl, prepare: true } as const;
await using first = openDatabase({ ...sessions, poolSize: 1 });
const db = openDatabase({ ...sessions, poolSize: await choosePoolSize(first, workers) });

/** Lines wait for others: 20 ms, or up to as many bytes as Linnet writes to a file at once. */
const logFd = openSync(logFile, 'a');
const maxLogBytes = 131_072;
let lines = '';
let flushTimer: NodeJS.Timeout | undefined;

function flushLines(): void {
  clearTimeout(flushTimer);
  flushTimer = undefined;
  const written = lines;
  lines = '';
  write(logFd, written, (error) => {
    if (error !== null) throw error;
  });
}

const host = hostname();

interface Call extends Token {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly startedAt: number;
}

function log({ request, path, startedAt, clientId, accountId }: Call, id: string): void {
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  lines += `{"level":"info","time":"${new Date().toISOString()}","service":"linnet","version":"1.0.0","host":"${host}","pid":${String(process.pid)},"id":"${id}","method":"${String(request.method)}","path":"${path}","status":200,"ms":${String(ms)},"clientId":"${clientId}","accountId":${String(accountId)},"network":"127.0.0.0/24","msg":"request"}\n`;
  if (lines.length > maxLogBytes) flushLines();
  else flushTimer ??= setTimeout(flushLines, 20);
}

interface Token {
  readonly clientId: string;
  readonly accountId: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

const { keys }: { keys: readonly { kid: string; alg: string }[] } = JSON.parse(
  await (await fetch(`${baseUrl}/oauth/jwks`)).text(),
);
const publicKeys = keys
  .filter(({ alg }) => alg === 'ES256')
  .map((jwk) => createPublicKey({ key: { ...jwk }, format: 'jwk' }));

/** Tokens that were verified, by their hash: Linnet verifies a token once, too. */
const verified = new Map<string, Token & { readonly exp: number }>();

function authenticate({ headers: { authorization = '' } }: IncomingMessage): Token {
  const fingerprint = hash('sha256', authorization, 'base64');
  const known = verified.get(fingerprint);
  if (known !== undefined && known.exp * 1000 > Date.now()) return known;
  const token = readToken(authorization.slice('Bearer '.length));
  verified.set(fingerprint, token);
  return token;
}

function readToken(token: string): Token & { readonly exp: number } {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${head}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  const isGenuine = publicKeys.some((key) => verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes));
  if (!isGenuine) throw new Error('the token is not genuine');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return { clientId: claims.client_id, accountId: claims.acct, exp: claims.exp, claims };
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
// An ES256 key as JWK, with the members that a signer needs.
const sign = createEs256Signer(privateKey.export({ format: 'jwk' }) as PrivateEs256Jwk);
const toBase64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenHead = toBase64url({ alg: 'ES256', typ: 'at+jwt', kid: keys[0]?.kid });
const applications = new Map(
  clients.map(({ id, secret, accessToken }) => [
    id,
    { digest: hash('sha256', secret, 'buffer'), ...readToken(accessToken) },
  ]),
);
const lifetimeSeconds = 3600;

function issueToken({ claims, clientId }: Token): string {
  const iat = Math.floor(Date.now() / 1000);
  const { jti: _jti, sub: _sub, iat: _iat, exp: _exp, scope, client_id: _id, iss, aud, ...acting } = claims;
  const ids = { jti: randomBytes(32).toString('base64url'), sub: clientId };
  const own = { ...acting, ...ids, iat, exp: iat + lifetimeSeconds, scope, client_id: clientId, iss, aud };
  const signed = `${tokenHead}.${toBase64url(own)}`;
  const access_token = `${signed}.${sign(Buffer.from(signed)).toString('base64url')}`;
  return JSON.stringify({ access_token, expires_in: lifetimeSeconds, scope, token_type: 'Bearer', app_id: clientId });
}

/** Requests of this minute, by who is counted. */
let counts = new Map<string | number, number>();
setInterval(() => (counts = new Map()), 60_000).unref();

function countOf(key: string | number): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

function limitsOf({ clientId, accountId }: Token, kind: 'reads' | 'writes'): string[] {
  const most = (kind === 'reads' ? 12_000 : 3000) / workers;
  const [user, application] = [most - countOf(accountId), 4 * most - countOf(clientId)];
  return [
    ...['RateLimit-Policy', `"user-${kind}";q=${String(most)};w=60, "application-${kind}";q=${String(4 * most)};w=60`],
    ...['RateLimit', `"user-${kind}";r=${String(user)};t=60, "application-${kind}";r=${String(application)};t=60`],
  ];
}

// In Linnet's order, as all members below.
const apiHead = [
  ...['Cache-Control', 'no-store', 'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Referrer-Policy', 'no-referrer', 'X-Content-Type-Options', 'nosniff', 'Access-Control-Allow-Origin', '*'],
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, WWW-Authenticate, X-Request-Id',
];
const json = ['Content-Type', 'application/json; charset=utf-8'];
const tokenHeaders = [
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer', 'Content-Security-Policy'],
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...['Cross-Origin-Opener-Policy', 'same-origin', 'Cross-Origin-Resource-Policy', 'same-origin', 'Permissions-Policy'],
  'accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
  ...['cache-control', 'no-store', 'Pragma', 'no-cache', 'Vary', 'Origin', 'Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'WWW-Authenticate'],
  ...['Access-Control-Expose-Headers', 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'],
  ...json,
];

/** Responses of a turn of the event loop are written together. */
let ending: (() => void)[] = [];

function endAll(): void {
  const all = ending;
  ending = [];
  for (const end of all) end();
}

function respond(call: Call, headers: readonly string[], body: string): void {
  const id = randomUUID();
  call.response.writeHead(200, ['X-Request-Id', id, ...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  if (ending.push(() => call.response.end(body)) === 1) setImmediate(endAll);
  log(call, id);
}

const present = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('the database returned no row');
  return value;
};

/** Linnet compresses responses of so many bytes, for clients that accept it. */
const leastCompressed = 2048;

async function showPost(call: Call, query: string): Promise<void> {
  const row = present(await findPost(db, Number(new URLSearchParams(query).get('id')), call.accountId));
  const body = JSON.stringify({ items: toPostOfFloor(row, row.marks ?? 0, baseUrl) });
  const etag = ['ETag', `W/"${hash('sha1', body, 'base64url')}"`];
  const vary = body.length < leastCompressed ? [] : ['Vary', 'Accept-Encoding'];
  respond(call, [...apiHead, ...limitsOf(call, 'reads'), ...etag, ...vary, ...json], body);
}

async function changeLike(call: Call, change: 'add' | 'delete', body: string): Promise<void> {
  const count = await likes[change](db, call.accountId, JSON.parse(body).item_id);
  respond(call, [...apiHead, ...limitsOf(call, 'writes'), ...json], JSON.stringify({ count: present(count) }));
}

/** Its author may comment on it. */
const marksOfNewPost = 8;

async function createPost(call: Call, body: string): Promise<void> {
  const text = String(JSON.parse(body).message);
  const find = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      found,
      indices: [index, index + found.length] as const,
    }));
  const hashtags = find(/#\w+/g).map(({ found, indices }) => ({ text: found.slice(1), indices }));
  const urls = find(/https:\/\/\S+/g).map(({ found, indices }) => ({
    url: found,
    display_url: found.slice('https://'.length),
    indices,
  }));
  const entities = { hashtags, urls, mentions: [], hashtagKeys: hashtags.map((one) => one.text.toLowerCase()) };
  const row = present(await insertPost(db, { authorId: call.accountId, text, entities }));
  const result = {
    status: 'succeeded',
    message: 'The post was created.',
    items: toPostOfFloor(row, marksOfNewPost, baseUrl),
  };
  respond(call, [...apiHead, ...limitsOf(call, 'writes'), ...json], JSON.stringify(result));
}

function authorize(call: Omit<Call, keyof Token>, body: string): void {
  const credentials = Buffer.from((call.request.headers.authorization ?? '').slice('Basic '.length), 'base64');
  const [id = '', secret = ''] = credentials.toString().split(':');
  const application = present(applications.get(id));
  const isGenuine = timingSafeEqual(hash('sha256', secret, 'buffer'), application.digest);
  if (!isGenuine || new URLSearchParams(body).get('grant_type') !== 'client_credentials') throw new Error('refused');
  const most = 60_000 / workers;
  const left = String(most - countOf(id));
  const limits = [
    'RateLimit-Policy',
    `"oauth-application";q=${String(most)};w=60`,
    'RateLimit',
    `"oauth-application";r=${left};t=60`,
  ];
  respond({ ...call, ...application }, [...tokenHeaders, ...limits], issueToken(application));
}

async function answer(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  const [path = '', query = ''] = String(request.url).split('?');
  const call = { request, response, path, startedAt: performance.now() };
  if (path === '/oauth/token') return authorize(call, body);
  const authenticated = { ...call, ...authenticate(request) };
  if (path === '/api/v2.0/post/show') return await showPost(authenticated, query);
  if (path === '/api/v2.0/post/create') return await createPost(authenticated, body);
  return await changeLike(authenticated, path.endsWith('/add') ? 'add' : 'delete', body);
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    answer(request, response, body).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
});
server.maxRequestsPerSocket = 10_000;
server.listen({ port, host: '127.0.0.1', reusePort: true }, () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
