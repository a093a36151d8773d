// The direct path and Koa respond to the same requests with the same bytes, and count and log them the same way.
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { routesByName } from '@linnet/contract/routes';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { pngImage } from '@linnet/test/media/images';
import Koa from 'koa';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { caseOf } from '@linnet/test/api/endpoint-cases';
import { startImageServer } from '@linnet/test/api/image-server';
import type { ImageServer } from '@linnet/test/api/image-server';
import { uploadImage } from '@linnet/test/api/media-requests';
import { registerPerson } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** One of the two ways, with an application, accounts and records of its own that are like those of the other way. */
interface Way {
  readonly api: RunningApi;
  readonly clientId: string;
  readonly world: Parameters<ReturnType<typeof caseOf>['parameters']>[0];
  /** An account that deletes itself. */
  readonly leaver: number;
}

interface Sent {
  readonly method: string;
  /** Below /api/v2.0. */
  readonly target: string;
  readonly claims?: Readonly<Record<string, unknown>> | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let images: ImageServer;
let direct: Way;
let complete: Way;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  images = cleanup.use(await startImageServer({ 'image.png': await pngImage() }));
  const config = { mediaFetchAllow: [images.authority], rateLimits: true };
  const api = cleanup.use(await startApi(database.url, { path: 'direct', config }));
  direct = await createWay(api, 'a');
  const other = cleanup.use(await startApi(database.url, { path: 'complete', signer: api.signer, config }));
  complete = await createWay(other, 'b');
});
afterAll(() => cleanup.disposeAsync());

async function createWay(api: RunningApi, suffix: 'a' | 'b'): Promise<Way> {
  const account = await registerPerson(api, `compared_${suffix}`);
  const friend = await registerPerson(api, `befriended_${suffix}`);
  const post = await account.writes(`hello @compared_${suffix}`);
  // A list of them is sent as bytes.
  for (let posts = 0; posts < 12; posts += 1) await account.writes(`a #post at https://example.org/${suffix}`);
  await api.db.prisma.followRequest.create({ data: { followerId: friend.id, followedId: account.id } });
  const clientId = `client-compared-${suffix}`;
  await api.db.prisma.application.create({ data: { ownerId: friend.id, clientId, name: 'App', type: 'public' } });
  const grant = { id: suffix, accountId: account.id, clientId, kind: 'consent' as const, scopes: ['users', 'posts'] };
  const spare = {
    post: await account.writes('to be deleted'),
    comment: await account.comments(post, 'to be deleted'),
    media: await uploadImage(api, account.id),
    filter: (await account.post('/filters/add', { text: 'to be deleted' })).body.id,
  };
  const world = {
    account: account.id,
    friend: friend.id,
    post,
    spare,
    grant: Number((await api.db.prisma.grant.create({ data: grant })).number),
    imageUrl: images.address('image.png'),
    unique: `unique_${suffix}`,
  };
  return { api, clientId, world, leaver: (await api.register(`leaving_${suffix}`)).id };
}

/** How many requests Koa has handled. */
let handledByKoa: () => number;
beforeEach(() => {
  const contexts = vi.spyOn(Koa.prototype, 'createContext');
  handledByKoa = () => contexts.mock.calls.length;
});

async function send(way: Way, sent: Sent) {
  const headers = { ...(await createHeaders(way, sent)), ...sent.headers };
  const lines = requestLines(way).length;
  const { method } = sent;
  const outgoing = request({ port: way.api.port, method, path: `/api/v2.0${sent.target}`, headers, agent: false });
  outgoing.end(sent.body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (response === undefined) throw new Error('no response');
  const received = await text(response);
  await expect.poll(() => requestLines(way).length).toBe(lines + 1);
  const length = response.headers['content-length'];
  return normalize({
    start: [response.httpVersion, response.statusCode, response.statusMessage],
    headers: response.rawHeaders,
    hasRightLength: method === 'HEAD' || length === undefined || Number(length) === Buffer.byteLength(received),
    body: received,
    log: requestLines(way).at(-1),
  });
}

async function createHeaders({ api, clientId }: Way, { claims = {}, body = '' }: Sent) {
  const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  const token = await api.signer.sign({ client_id: clientId, ...claims });
  return {
    host: 'linnet.example',
    accept: 'application/json',
    ...(claims === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === '' ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }),
  };
}

function requestLines({ api }: Way): string[] {
  return api.log.filter((line) => line.includes('"msg":"request"'));
}

/** Replaces what differs between any two requests: ids, times, names, and lengths of such. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => (value[index - 1] === 'Content-Length' ? 'length' : normalize(item)));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, normalize(one)]));
  }
  if (typeof value !== 'string') return value;
  return (
    value
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
      .replaceAll(/\b(?:[0-9a-f]{16}){1,2}\b/g, 'hexadecimal')
      .replaceAll(/\w{3}, \w{3} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M/g, 'created')
      .replaceAll(/\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT/g, 'date')
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'created_at')
      .replaceAll(/(?<=compared|befriended|leaving|unique|example\.org)([-_/])[ab]\b/g, '$1x')
      .replaceAll(/W\/"[\w-]+"/g, 'version')
      .replaceAll(/(?<=signature=)[\w-]+/g, 'signature')
      .replaceAll(/ada_lovelace(?:_\d+)?/g, 'username')
      .replaceAll(/"ms":[\d.]+/g, '"ms"')
      // The windows of the two ways end at different times; a test of its own compares the counts.
      .replaceAll(/;r=\d+;t=\d+/g, ';r;t')
      .replaceAll(/\d{6,}/g, 'number')
      .replaceAll(/(?<=cursor=)\w+|(?<="(?:next|prev)":")\w+/g, 'cursor')
  );
}

/** Sends a request both ways; `isDirect` if the direct path sent its response. */
async function compare(describeFor: (way: Way) => Sent) {
  const before = handledByKoa();
  const seen = await send(direct, describeFor(direct));
  const isDirect = handledByKoa() === before;
  return { isDirect, seen, expected: await send(complete, describeFor(complete)) };
}

/** The response both ways must be the same. Returns whether the direct path sent its own. */
async function isSentDirectly(describeFor: (way: Way) => Sent): Promise<boolean> {
  const { isDirect, seen, expected } = await compare(describeFor);
  expect(seen).toEqual(expected);
  return isDirect;
}

const everyMethod = Object.entries(routesByName).flatMap(([name, route]) =>
  route.methods.map((method) => [`${method} ${route.path}`, { name, route, method }] as const),
);

describe.each(everyMethod)('%s', (_title, { name, route, method }) => {
  const acting = (way: Way) => ({ acct: name === 'deleteAccount' ? way.leaver : way.world.account });

  test.each([
    ['without parameters', acting],
    ['without an account', () => ({})],
    ['without its scope', () => ({ scope: '' })],
    ['with an expired token', () => ({ exp: 1000 })],
    ['without a token', () => null],
  ])('%s: the same response both ways', async (_what, claimsFor) => {
    for (const target of [route.path, `${route.path}?id=x&id=%FF&count=0&[]`]) {
      const { seen, expected } = await compare((way) => ({ method, target, claims: claimsFor(way) }));
      expect(seen).toEqual(expected);
    }
  });

  test('a request that succeeds is answered directly, the same as by Koa', async () => {
    const isDirect = await isSentDirectly((way) => {
      const parameters = { ...caseOf(name).parameters(way.world) };
      if (parameters['email'] !== undefined) parameters['email'] = `${method}.${parameters['email']}`;
      const query = new URLSearchParams(parameters).toString();
      return method === 'GET'
        ? { method, target: `${route.path}?${query}`, claims: acting(way) }
        : { method, target: route.path, claims: acting(way), body: JSON.stringify(parameters) };
    });
    expect(isDirect).toBe(true);
  });
});

describe('the direct path', () => {
  const claimsOf = ({ world }: Way) => ({ acct: world.account });
  const create = (way: Way) => ({ method: 'POST', target: '/post/create', claims: claimsOf(way) });

  test.each([
    ['a form', 'message=gr%C3%B6%C3%9Fe', {}],
    ['JSON with a charset', '{"message":"größe"}', { 'content-type': 'application/json; charset=UTF-8' }],
    ['an Idempotency-Key', 'message=keyed', { 'idempotency-key': 'key' }],
    ['a repeated Idempotency-Key', 'message=keyed', { 'idempotency-key': 'key' }],
    ['an Origin', 'message=hello', { origin: 'https://example.org' }],
  ])('answers a write with %s', async (_what, body, headers) => {
    expect(await isSentDirectly((way) => ({ ...create(way), body, headers }))).toBe(true);
  });

  test.each(['count=1', 'count=1&page=2&count_of=x%20y', 'count=100'])('answers a list: %s', async (query) => {
    const list = (way: Way) => `/post?user_id=${String(way.world.account)}&${query}`;
    expect(await isSentDirectly((way) => ({ method: 'GET', target: list(way), claims: claimsOf(way) }))).toBe(true);
  });

  test('counts for the same rate limits', async () => {
    const claims = { client_id: 'client-counted', sub: 'client-counted' };
    const remaining = async (way: Way) => {
      const counted: string[] = [];
      for (const target of ['/users/is?id=1', '/post/show', '/users/is?id=1']) {
        const acting = { ...claims, acct: way.world.account };
        counted.push((await way.api.call(`GET ${target}`, { claims: acting })).headers['ratelimit']?.toString() ?? '');
      }
      return counted.map((header) => header.replaceAll(/;t=\d+/g, ''));
    };
    const [first, ...rest] = await remaining(direct);
    expect(first).toContain('"user-reads";r=');
    expect(new Set([first, ...rest]).size).toBe(3);
    expect(await remaining(complete)).toEqual([first, ...rest]);
  });

  test('answers that the client has the current version of an object', async () => {
    const headers = { 'if-none-match': '*', 'accept-encoding': 'br' };
    const target = (way: Way) => `/post/show?id=${String(way.world.post)}`;
    expect(
      await isSentDirectly((way) => ({ method: 'GET', target: target(way), claims: claimsOf(way), headers })),
    ).toBe(true);
  });

  test.each([
    ['another Accept', { accept: 'text/html, application/json;q=0.5' }],
    ['no Accept', { accept: '' }],
    ['another Host', { host: 'example.org' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a proxy', { 'x-forwarded-for': '192.0.2.1' }],
    ['a compressed body', { 'content-encoding': 'identity' }],
    ['another type', { 'content-type': 'application/vnd.example+json' }],
  ])('leaves to Koa: %s', async (_what, headers) => {
    expect(await isSentDirectly((way) => ({ ...create(way), body: '{"message":"hello"}', headers }))).toBe(false);
  });

  test.each(['HEAD', 'OPTIONS', 'DELETE'])('leaves %s to Koa', async (method) => {
    expect(await isSentDirectly((way) => ({ method, target: '/feed', claims: claimsOf(way) }))).toBe(false);
  });

  test.each(['{', '{"message":"\\u0000"}', '{"message":"a","media":1}', `{"message":"${'x'.repeat(70_000)}"}`])(
    'a rejected write is rejected once, by Koa',
    async (body) => {
      expect(await isSentDirectly((way) => ({ ...create(way), body }))).toBe(false);
    },
  );

  test('requests and errors are counted once each, the same as by Koa', async () => {
    const usageOf = async ({ api, clientId }: Way) => {
      await api.app.jobs.find(({ name }) => name === 'usage')?.run(new AbortController().signal);
      const days = await api.db.prisma.applicationUsage.findMany({ where: { clientId } });
      // The test may run over midnight.
      const sumOf = (column: 'calls' | 'errors') => days.reduce((sum, day) => sum + Number(day[column]), 0);
      return [sumOf('calls'), sumOf('errors')];
    };
    expect(await usageOf(direct)).toEqual(await usageOf(complete));
  });
});
