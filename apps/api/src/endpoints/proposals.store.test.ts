import { request } from 'node:http';
import { json as readJson } from 'node:stream/consumers';

import { routesByName } from '@linnet/contract/routes';
import type { Route } from '@linnet/contract/route';
import { caseOf } from '@linnet/test/api/endpoint-cases';
import type { EndpointWorld } from '@linnet/test/api/endpoint-cases';
import { createEndpointWorld } from '@linnet/test/api/endpoint-world';
import { startImageServer } from '@linnet/test/api/image-server';
import { sweepUnattached } from '@linnet/media/media-sweep';
import { orderEvents } from '@linnet/social/event/event-store';
import { openStream, settle } from '@linnet/test/api/event-listening';
import { registerThree } from '@linnet/test/api/people';
import type { Person, Sent } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { pngImage } from '@linnet/test/media/images';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { isTool, toolNameOf } from '../mcp/tools.ts';

/** What a token with `posts:propose` can do (decisions D193). */
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let world: EndpointWorld;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const images = cleanup.use(await startImageServer({ 'image.png': await pngImage() }));
  api = cleanup.use(await startApi(database.url, { config: { mediaFetchAllow: [images.authority] } }));
  world = await createEndpointWorld(api, images, 'proposer');
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  [ada, ben] = await registerThree(api);
});

const json = { 'content-type': 'application/json' };
const scope = 'posts:propose';
const outcome = ({ status, body }: Sent) => (status === 200 ? status : [status, body.code]);

/** A call by an agent that may only propose. */
async function asAgent(target: string, acct: number, body?: object, claims: object = {}): Promise<Sent> {
  const sent = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  return await api.call(target, { claims: { acct, scope, ...claims }, ...sent });
}

/** A digest of every table, except proposals, the news of them, and what the service keeps about requests. */
async function readEverything(): Promise<object> {
  const text = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    AND NOT relispartition AND relname !~ '^(draft|rate_limit|request_log|.*_usage|idempotency_.*|timeline.*)$'`;
  const found: { name: string }[] = await api.db.query({ name: 'test_tables', text }, []);
  const digests = found.map(async ({ name }): Promise<[string, unknown]> => {
    const digest = `SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) AS md5 FROM "${name}" t
      WHERE t::text !~ ',(proposal|draft.proposed),'`;
    return [name, await api.db.query({ name: `test_digest_${name}`, text: digest }, [])];
  });
  return Object.fromEntries(await Promise.all(digests));
}

/** The tool of an agent that may only propose. fetch cannot send the public name of the service. */
async function callTool(name: string, parameters: object): Promise<Sent> {
  const authorization = `Bearer ${await api.signer.sign({ acct: world.account, scope })}`;
  const accept = 'application/json, text/event-stream';
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const headers = { ...json, host: 'linnet.example', accept, authorization };
  const outgoing = request({ host: '127.0.0.1', port: api.port, path: '/mcp', method: 'POST', headers }, (received) => {
    readJson(received).then((body) => {
      const answer = body as { readonly result?: { readonly structuredContent?: object } };
      resolve({ status: received.statusCode ?? 0, body: answer.result?.structuredContent ?? answer });
    }, reject);
  });
  outgoing.on('error', reject);
  outgoing.end(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } }),
  );
  return await promise;
}

const everyRow = Object.entries(routesByName);
/** Needs no scope, and changes nothing of the person. */
const writing = everyRow.filter(([name, route]) => route.writes && name !== 'registerAccount');

describe('D193 with `posts:propose` alone no call changes anything', () => {
  async function expectNothing(name: string, route: Route, call: () => Promise<Sent>): Promise<void> {
    const [before, waiting] = [await readEverything(), await api.db.prisma.draft.count()];
    const { status, body } = await call();
    expect(await readEverything()).toEqual(before);
    const added = (await api.db.prisma.draft.count()) - waiting;
    // What it keeps is a proposal.
    const expected = route.isProposable === true ? [200, 'proposed', 1] : [403, 'insufficient_scope', 0];
    expect([name, status, body.code ?? body.status, added]).toEqual([name, ...expected]);
  }

  test('the calls that can be proposed are those that publish, and drafts', () => {
    const paths = everyRow.filter(([, route]) => route.isProposable === true).map(([, { path }]) => path);
    expect(new Set(paths)).toEqual(
      new Set(['/drafts/create', '/post/create', '/comment/create', '/likes/add', '/reposts/add', '/follows/add']),
    );
  });

  test.each(
    writing.flatMap(([name, route]) => route.methods.map((method) => [method, route.path, name, route] as const)),
  )('%s %s', async (method, path, name, route) => {
    const parameters = caseOf(name).parameters(world);
    const call = async () =>
      method === 'GET'
        ? await asAgent(`GET ${path}?${new URLSearchParams(parameters).toString()}`, world.account)
        : await asAgent(`POST ${path}`, world.account, parameters);
    await expectNothing(name, route, call);
  });

  test.each(writing.filter(([, route]) => isTool(route)))('the tool of %s', async (name, route) => {
    const parameters = caseOf(name).parameters(world);
    await expectNothing(name, route, async () => await callTool(toolNameOf(route), parameters));
  });
});

const item = (post: number) => ({ item_id: post, type: 'post' });

test.each<[path: string, parameters: (post: number) => object, check: (post: number) => Promise<unknown>]>([
  [
    '/post/create',
    () => ({ message: 'Good morning' }),
    async () => (await ada.get(`/post?user_id=${String(ada.id)}`)).body.total,
  ],
  [
    '/comment/create',
    (post) => ({ ...item(post), text: 'Well said' }),
    async (post) => (await ada.get(`/comment?item_id=${String(post)}&type=post`)).body.total,
  ],
  [
    '/likes/add',
    item,
    async (post) => (await ada.get(`/likes/is_liked?item_id=${String(post)}&type=post`)).body.response.liked,
  ],
  [
    '/reposts/add',
    item,
    async (post) => (await ada.get(`/reposts/is_reposted?item_id=${String(post)}&type=post`)).body.response.reposted,
  ],
  [
    '/follows/add',
    () => ({ id: ben.id }),
    async () => (await ada.get(`/follows/is_following?id=${String(ben.id)}`)).body.response.following,
  ],
])('D193 a person publishes what an agent proposed, once: %s', async (path, parameters, check) => {
  const post = await ben.writes('hello');
  const proposed = await asAgent(`POST ${path}`, ada.id, parameters(post));
  expect(proposed.body).toEqual({ status: 'proposed', message: expect.any(String), id: expect.any(Number) });
  const { id } = proposed.body;
  expect(await check(post)).toBe(0);
  const [listed] = (await ada.get('/drafts?status=proposed')).body.items;
  const client_id = expect.any(String);
  expect(listed).toMatchObject({ id, status: 'proposed', call: path, application: { client_id, name: client_id } });
  const published = await Promise.all([1, 2, 3].map(async () => await ada.post('/drafts/publish', { id })));
  expect(published.map(outcome)).toEqual([200, 200, 200]);
  expect(await check(post)).toBe(1);
  expect((await asAgent(`GET /drafts/show?id=${String(id)}`, ada.id)).body).toMatchObject({ status: 'published' });
});

test('a person edits or rejects a proposal; the agent reads what became of it, and of nothing else', async () => {
  const propose = async (message: string) =>
    (await asAgent('POST /post/create', ada.id, { message })).body.id as number;
  const [edited, rejected] = [await propose('Good mornin'), await propose('Buy now')];
  const own = (await ada.post('/drafts/create', { message: 'private' })).body.id;
  await ada.post('/drafts/update', { id: edited, version: 1, message: 'Good morning' });
  await ada.post('/drafts/publish', { id: edited, version: 2 });
  for (const _ of [1, 2]) {
    const { body } = await ada.post('/drafts/reject', { id: rejected, reason: 'No advertising' });
    expect(body).toMatchObject({ status: 'rejected', reason: 'No advertising' });
  }
  expect(outcome(await ada.post('/drafts/publish', { id: rejected }))).toEqual([409, 'draft-changed']);
  expect(outcome(await ada.post('/drafts/reject', { id: edited }))).toEqual([409, 'draft-changed']);
  expect(outcome(await ada.post('/drafts/reject', { id: own }))).toEqual([409, 'draft-changed']);
  const read = async (id: number, claims?: object) =>
    await asAgent(`GET /drafts/show?id=${String(id)}`, ada.id, undefined, claims);
  expect((await read(rejected)).body).toMatchObject({ status: 'rejected', reason: 'No advertising' });
  expect((await read(edited)).body.parameters).toEqual({ message: 'Good morning' });
  expect(outcome(await read(own))).toEqual([404, 'not-found']);
  expect(outcome(await read(rejected, { client_id: 'another-agent-01' }))).toEqual([404, 'not-found']);
  expect((await asAgent('GET /drafts', ada.id)).body.items).toEqual([]);
  expect((await asAgent('GET /drafts?status=rejected', ada.id)).body.items).toMatchObject([{ id: rejected }]);
  expect(outcome(await read(rejected, { scope: 'posts:read users' }))).toEqual([403, 'insufficient_scope']);
});

test('the wider scope acts itself; publishing needs the scope of the call', async () => {
  const wide = await asAgent('POST /post/create', ada.id, { message: 'Hello' }, { scope: 'posts:propose posts' });
  expect(wide.body.status).toBe('succeeded');
  const follow = async (held: string) => await asAgent('POST /follows/add', ada.id, { id: ben.id }, { scope: held });
  // A token that can publish proposes nothing, so that nobody takes a proposal for the thing.
  expect(outcome(await follow('posts:propose posts'))).toEqual([403, 'insufficient_scope']);
  const { id } = (await follow(scope)).body;
  const narrow = await asAgent('POST /drafts/publish', ada.id, { id }, { scope: 'posts' });
  expect(narrow.body).toMatchObject({ code: 'insufficient_scope', scope: 'users' });
  expect((await ada.get('/drafts?status=proposed')).body.items).toMatchObject([{ id }]);
});

describe('D193 an agent sends pictures for its proposals', () => {
  async function upload(media: string | Buffer): Promise<Sent> {
    const body = new FormData();
    body.append('media', typeof media === 'string' ? media : new Blob([new Uint8Array(media)]));
    body.append('alt', 'A linnet');
    return await api.call('POST /media/upload', { claims: { acct: ada.id, scope }, body });
  }
  const sendPicture = async () => Number((await upload(await pngImage())).body.finally.media_id);
  const passDay = async (id: number) => {
    await api.db.prisma.media.updateMany({ where: { id }, data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    await sweepUnattached(api.db);
    return await api.db.prisma.media.count({ where: { id } });
  };
  test('the person sees, publishes and rejects them; the agent learns no address before', async () => {
    const [published, rejected, forgotten] = [await sendPicture(), await sendPicture(), await sendPicture()];
    const first = (await asAgent('POST /post/create', ada.id, { message: 'Look', media: published })).body.id;
    const drafted = { message: 'Look', attachments: [rejected] };
    const second = (await asAgent('POST /drafts/create', ada.id, drafted)).body.id;
    expect((await ada.get(`/media/show?id=${String(published)}`)).body).toMatchObject({ alt: 'A linnet', item_id: 0 });
    const seen = async (held: string, id: number) => {
      const claims = { acct: ada.id, scope: held };
      const shown = await api.call(`GET /media/show?id=${String(id)}`, { claims });
      const listed = (await api.call('GET /media', { claims })).body;
      const exported = (await api.call('POST /account/export', { claims, headers: json, body: '{}' })).body;
      const lists = [listed.items, exported.media].map((items: { id: number }[]) => items.some((one) => one.id === id));
      return [shown.status, ...lists];
    };
    const agent = 'users:read posts:read posts:propose';
    expect(await seen(agent, published)).toEqual([404, false, false]);
    expect(await seen('users posts', published)).toEqual([200, true, true]);
    expect([await passDay(published), await passDay(rejected), await passDay(forgotten)]).toEqual([1, 1, 0]);
    await ada.post('/drafts/publish', { id: first });
    await ada.post('/drafts/reject', { id: second });
    const { published_id: id } = (await ada.get(`/drafts/show?id=${String(first)}`)).body;
    expect((await ada.get(`/post/show?id=${String(id)}`)).body.items.attachments).toMatchObject([{ id: published }]);
    expect(await seen(agent, published)).toEqual([200, true, true]);
    expect([await passDay(published), await passDay(rejected)]).toEqual([1, 0]);
  });

  test('as files only: an address would be fetched before the person decides', async () => {
    expect(outcome(await upload('https://collector.example/?q=what+the+agent+read'))).toEqual([
      403,
      'insufficient_scope',
    ]);
    expect(outcome(await upload(Buffer.from('no picture')))).toEqual([422, 'image-refused']);
    const change = { id: await sendPicture(), alt: 'Something else' };
    for (const path of ['/media/update', '/media/delete']) {
      expect(outcome(await asAgent(`POST ${path}`, ada.id, change))).toEqual([403, 'insufficient_scope']);
    }
  });
});

test('proposals have their own limit and their own errors, and need an account', async () => {
  const propose = async (body: object, acct = ada.id) => outcome(await asAgent('POST /post/create', acct, body));
  const row = { accountId: ada.id, status: 'proposed', call: '/post/create', clientId: 'x', parameters: {} } as const;
  await api.db.prisma.draft.createMany({ data: Array.from({ length: 99 }, () => row) });
  expect(await propose({ message: '' })).toEqual([400, 'invalid-parameter']);
  expect(await propose({ message: 'x', media: 1 })).toEqual([403, 'media-not-usable']);
  expect(await propose({ message: 'x' })).toBe(200);
  expect(await propose({ message: 'x' })).toEqual([409, 'too-many-drafts']);
  expect((await ada.post('/drafts/create', { message: 'x' })).status).toBe(200);
  const application = await api.call('POST /post/create?', {
    claims: { scope },
    headers: json,
    body: '{"message":"x"}',
  });
  expect(outcome(application)).toEqual([403, 'user-context-required']);
});

describe('a proposal is noticed', () => {
  const propose = async (message: string, acct = ada.id) =>
    Number((await asAgent('POST /post/create', acct, { message })).body.id);
  const notified = async (held = 'users posts') =>
    (await api.call('GET /notifications', { claims: { acct: ada.id, scope: held } })).body.items;

  test('D193 the person has a notification of what waits, with the latest, until it is decided', async () => {
    await ada.likes(await ada.writes('mine'));
    const [first, second, third] = [await propose('one'), await propose('two'), await propose('three')];
    const latest = (await ada.get(`/drafts/show?id=${String(third)}`)).body;
    expect(await notified()).toMatchObject([
      { id: third, type: 'proposal', count: 3, unread: 3, users: [], draft: latest },
    ]);
    expect((await notified())[0].post).toBeUndefined();
    for (const held of ['users posts:read', 'users posts:read posts:propose']) {
      expect(await notified(held)).toEqual([]);
    }
    await ada.post('/notifications/read', { id: third });
    expect((await ada.get('/notifications/unread')).body).toEqual({ count: 0 });
    await ada.post('/notifications/preferences/update', { proposal: false });
    expect(await notified()).toEqual([]);
    await ada.post('/notifications/preferences/update', { proposal: true });
    await ada.post('/drafts/publish', { id: third });
    expect(await notified()).toMatchObject([{ id: second, count: 2, draft: { id: second } }]);
    await ada.post('/drafts/reject', { id: second });
    expect(await notified()).toMatchObject([{ id: first, count: 1 }]);
    await ada.post('/drafts/delete', { id: first });
    expect(await api.db.prisma.notification.count({ where: { accountId: ada.id } })).toBe(0);
  });

  test('the export has it', async () => {
    await propose('one');
    const { notifications } = (await ada.post('/account/export', {})).body;
    expect(notifications).toMatchObject([{ type: 'proposal', user: { id: ada.id }, item_id: 0, read: 0 }]);
  });

  test('D193 applications that may read the proposal hear of it and of the decision: with `posts`, or its own application', async () => {
    const listeners = {
      posts: { scope: 'users posts', client_id: 'a-client-of-hers' },
      own: { scope: 'posts:read posts:propose' },
      another: { scope: 'posts:read posts:propose', client_id: 'another-agent-01' },
      reader: { scope: 'users posts:read' },
    };
    const streams = await Promise.all(
      Object.entries(listeners).map(async ([name, claims]) => [name, await openStream(api, ada, { claims })] as const),
    );
    const [first, second] = [await propose('one'), await propose('two')];
    await propose('of another person', ben.id);
    await orderEvents(api.db);
    await expect.poll(() => streams[0]?.[1].events).toHaveLength(2);
    const written = (await ada.post('/drafts/create', { message: 'my own' })).body.id;
    for (const id of [first, written]) await ada.post('/drafts/publish', { id });
    await ada.post('/drafts/reject', { id: second, reason: 'No' });
    const said = [
      ['draft.proposed', 'notifications', first],
      ['draft.proposed', 'notifications', second],
      ['draft.published', 'posts', first],
      ['draft.rejected', 'posts', second],
    ];
    for (const [name, client] of streams) {
      await settle(api, client, ada);
      const drafts = client.events.filter(({ event }) => event.startsWith('draft.'));
      const heard = drafts.map(({ event, data }) => [event, data.streams.join('+'), data.data.draft_id]);
      expect([name, heard]).toEqual([name, name === 'posts' || name === 'own' ? said : []]);
      client[Symbol.dispose]();
    }
  });
});
