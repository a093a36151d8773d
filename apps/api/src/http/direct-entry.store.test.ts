// Both entries respond to the same requests with the same bytes, and count and log them the same way.
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { sharedLimits } from '@linnet/contract/limits';
import { routesByName } from '@linnet/contract/routes';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { pngImage } from '@linnet/test/media/images';
import Koa from 'koa';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import { caseOf } from '@linnet/test/api/endpoint-cases';
import { proposePost } from '@linnet/test/api/endpoint-world';
import { startImageServer } from '@linnet/test/api/image-server';
import type { ImageServer } from '@linnet/test/api/image-server';
import { uploadImage } from '@linnet/test/api/media-requests';
import { registerPerson } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** One of the two entries, with an application, accounts and records of its own that are like those of the other way. */
interface Way extends Entry {
  readonly world: Parameters<ReturnType<typeof caseOf>['parameters']>[0];
  /** An account that deletes itself. */
  readonly leaver: number;
}

interface Entry {
  readonly api: RunningApi;
  readonly clientId: string;
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
    quote: (await account.post('/post/create', { message: 'look', quote_id: post })).body.items.id,
    comment: await account.comments(post, 'to be deleted'),
    media: await uploadImage(api, account.id),
    filter: (await account.post('/filters/add', { text: 'to be deleted' })).body.id,
    draft: (await account.post('/drafts/create', { message: 'to be published' })).body.id,
    proposal: await proposePost(api, account.id),
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

async function send(way: Entry, sent: Sent) {
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
  const start: unknown[] = [response.httpVersion, response.statusCode, response.statusMessage];
  const seen = normalize({
    headers: response.rawHeaders,
    hasRightLength: method === 'HEAD' || length === undefined || Number(length) === Buffer.byteLength(received),
    body: received,
    log: requestLines(way).at(-1),
  });
  return { start, seen };
}

async function createHeaders({ api, clientId }: Entry, { claims = {}, body = '' }: Sent) {
  const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  const token = await api.signer.sign({ client_id: clientId, ...claims });
  return {
    host: 'linnet.example',
    accept: 'application/json',
    ...(claims === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === '' ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }),
  };
}

function requestLines({ api }: Entry): string[] {
  return api.log.filter((line) => line.includes('"msg":"request"'));
}

/** Replaces what differs between any two requests: ids, times, names, and lengths of such. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) {
    const replaced = new Map<unknown, string>([
      ['Content-Length', 'length'],
      ['Retry-After', 'seconds'],
    ]);
    return value.map((item, index) => replaced.get(value[index - 1]) ?? normalize(item));
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

/** Sends a request to both entries, whose responses must be the same. `isDirect`: the direct entry sent its own. */
async function compare<E extends Entry>([first, second]: readonly [E, E], describeFor: (way: E) => Sent) {
  const before = handledByKoa();
  const seen = await send(first, describeFor(first));
  const isDirect = handledByKoa() === before;
  expect(seen).toEqual(await send(second, describeFor(second)));
  return { isDirect, seen };
}

async function isSentDirectly(describeFor: (way: Way) => Sent): Promise<boolean> {
  return (await compare([direct, complete], describeFor)).isDirect;
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
  ])('%s: the same response of both entries', async (_what, claimsFor) => {
    for (const target of [route.path, `${route.path}?id=x&id=%FF&count=0&[]`]) {
      expect(await isSentDirectly((way) => ({ method, target, claims: claimsFor(way) }))).toBe(true);
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

const claimsOf = ({ world }: Way) => ({ acct: world.account });
const create = (way: Way) => ({ method: 'POST', target: '/post/create', claims: claimsOf(way) });
const show = (way: Way) => ({ method: 'GET', target: '/post/show?id=1', claims: claimsOf(way) });

const registerAgain = ({ world }: Way): Sent => {
  const email = `${world.unique.replace('unique', 'befriended')}@example.org`;
  const parameters = { ...caseOf('registerAccount').parameters(world), email };
  return { method: 'POST', target: '/auth/register', body: JSON.stringify(parameters) };
};

describe('an error is the same of both entries', () => {
  test.each<[status: number, what: string, describeFor: (way: Way) => Sent]>([
    [400, 'an invalid parameter', (way) => ({ ...show(way), target: '/post/show?id=x' })],
    [400, 'a body that is not JSON', (way) => ({ ...create(way), body: '{' })],
    [400, 'NUL in JSON', (way) => ({ ...create(way), body: '{"message":"\\u0000"}' })],
    [403, 'media of somebody else', (way) => ({ ...create(way), body: '{"message":"a","media":1}' })],
    [400, 'an Idempotency-Key that is none', (way) => ({ ...create(way), headers: { 'idempotency-key': 'ä' } })],
    [401, 'no token', (way) => ({ ...show(way), claims: null })],
    [401, 'an expired token', (way) => ({ ...show(way), claims: { exp: 1000 } })],
    [401, 'a bound token without a proof', (way) => ({ ...show(way), claims: { cnf: { jkt: 'key' } } })],
    [403, 'a token without the scope', (way) => ({ ...show(way), claims: { scope: 'email' } })],
    [403, 'a token without an account', (way) => ({ ...create(way), claims: {}, body: 'message=hello' })],
    [404, 'a post that does not exist', show],
    [409, 'an e-mail address that is taken', registerAgain],
  ])('%i for %s', async (status, _what, describeFor) => {
    const { isDirect, seen } = await compare([direct, complete], describeFor);
    expect([seen.start[1], isDirect]).toEqual([status, true]);
  });

  test('422 for an Idempotency-Key with other parameters', async () => {
    const headers = { 'idempotency-key': 'reused' };
    await compare([direct, complete], (way) => ({ ...create(way), headers, body: 'message=one' }));
    const other = (way: Way) => ({ ...create(way), headers, body: 'message=other' });
    const { isDirect, seen } = await compare([direct, complete], other);
    expect([seen.start[1], isDirect]).toEqual([422, true]);
  });

  test('in the language of the reader', async () => {
    const headers = { 'accept-language': 'fr-CH, de;q=0.5' };
    expect(await isSentDirectly((way) => ({ ...show(way), headers }))).toBe(true);
  });

  test('413 for a body that is too large, by Koa', async () => {
    const body = `{"message":"${'x'.repeat(70_000)}"}`;
    const { isDirect, seen } = await compare([direct, complete], (way) => ({ ...create(way), body }));
    expect([seen.start[1], isDirect]).toEqual([413, false]);
  });

  test('429 for an exceeded limit', async () => {
    const limited = (way: Way) => {
      const client = `limited-${way.clientId}`;
      const target = '/auth/is_email?email=somebody@example.org';
      return { method: 'GET', target, claims: { client_id: client, sub: client } };
    };
    const statuses: unknown[] = [];
    for (let requests = 0; requests <= sharedLimits['is-email'].quota; requests += 1) {
      const { isDirect, seen } = await compare([direct, complete], limited);
      expect(isDirect).toBe(true);
      statuses.push(seen.start[1]);
    }
    expect([statuses.at(0), statuses.at(-1)]).toEqual([200, 429]);
  });

  test('500 for a bug', async () => {
    await database.db.prisma.$executeRaw`ALTER TABLE word_filter RENAME TO word_filter_hidden`;
    try {
      const list = (way: Way) => ({ method: 'GET', target: '/filters', claims: claimsOf(way) });
      const { isDirect, seen } = await compare([direct, complete], list);
      expect([seen.start[1], isDirect]).toEqual([500, true]);
    } finally {
      await database.db.prisma.$executeRaw`ALTER TABLE word_filter_hidden RENAME TO word_filter`;
    }
  });

  test('503 without a database', async () => {
    const { signer } = direct.api;
    const away = async (path: 'direct' | 'complete'): Promise<Entry> => {
      const api = cleanup.use(await startApi('postgresql://nobody@127.0.0.1:9/none', { path, signer }));
      return { api, clientId: 'client-of-nothing' };
    };
    const { isDirect, seen } = await compare([await away('direct'), await away('complete')], () => ({
      method: 'GET',
      target: '/users/is?id=1',
    }));
    expect([seen.start[1], isDirect]).toEqual([503, true]);
  });
});

describe('the direct entry', () => {
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
      const calls: [string, object][] = [
        ['/users/is?id=1', {}],
        ['/post/show', {}],
        ['/users/is?id=1', { scope: '' }],
      ];
      for (const [target, more] of [...calls, ...calls]) {
        const acting = { ...claims, acct: way.world.account, ...more };
        counted.push((await way.api.call(`GET ${target}`, { claims: acting })).headers['ratelimit']?.toString() ?? '');
      }
      return counted.map((header) => header.replaceAll(/;t=\d+/g, ''));
    };
    const [first, ...rest] = await remaining(direct);
    expect(first).toContain('"user-reads";r=');
    expect(new Set([first, ...rest]).size).toBe(6);
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
