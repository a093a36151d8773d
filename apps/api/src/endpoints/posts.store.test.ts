import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let alice: number;
let carol: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  alice = (await api.register('Alice_A')).id;
  carol = (await api.register('Carol_C')).id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function create(message: string, acct = alice) {
  return await api.call('POST /post/create', {
    claims: { acct },
    body: JSON.stringify({ message }),
    headers: { 'content-type': 'application/json' },
  });
}

test('D24 creates a post by POST and by GET, and returns it', async () => {
  const text = 'Hello @carol_c and @nobody_x, see https://example.org/a#b #Größe #größe';
  const created = await create(text);
  expect(created.status).toBe(200);
  expect(created.body).toMatchObject({ status: 'succeeded', message: expect.any(String) });
  const { items } = created.body;
  expect(items).toEqual({
    id: expect.any(Number),
    text,
    created: expect.stringMatching(/^\w{3}, \w{3} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/),
    created_at: expect.stringMatching(/Z$/),
    link: `https://linnet.example/p/${String(items.id)}`,
    user: expect.objectContaining({ id: alice, username: 'Alice_A' }),
    media: { image: null, files: [] },
    attachments: [],
    hashtags: [{ text: 'Größe', indices: [58, 64] }],
    urls: [{ url: 'https://example.org/a#b', display_url: 'example.org/a#b', indices: [34, 57] }],
    mentions: [{ id: carol, indices: expect.any(Array) }],
    user_definition: [expect.objectContaining({ id: carol, username: 'Carol_C' })],
    action: { likes: 0, comments: 0, reposts: 0 },
    commenters: 'everyone',
    sensitive: 0,
    viewer: { liked: 0, reposted: 0, bookmarked: 0, can_comment: 1 },
  });
  const shown = await api.call(`GET /post/show?id=${String(items.id)}`, { claims: { acct: alice } });
  expect(shown.body.items).toEqual(items);
  const byGet = await api.call('GET /post/create?message=by+GET', { claims: { acct: alice } });
  expect([byGet.status, byGet.body.items.text]).toEqual([200, 'by GET']);
});

test('R18 text is returned byte for byte, except for white space at the ends', async () => {
  const texts = [
    'e\u0301 é',
    'a\r\n\tb',
    '\u202eright to left',
    '<script>alert(1)</script>',
    "'; DROP TABLE post; --",
    '𝒳 👩‍👩‍👧 \u{10ffff}',
    '\ufffd',
    '%00 \\u0000',
  ];
  for (const text of texts) {
    expect((await create(` \n${text}\u2003`)).body.items.text).toBe(text);
  }
});

test('AP6 accepts 400 code points, rejects 401', async () => {
  expect((await create('💙'.repeat(400))).status).toBe(200);
  expect((await create(`  ${'x'.repeat(400)}  `)).status).toBe(200);
  expect((await create('💙'.repeat(401))).status).toBe(400);
});

test('D14 mentions at most 20 accounts, in order, each once, as they are when read', async () => {
  const names = Array.from({ length: 22 }, (_, index) => `many_${String(index).padStart(2, '0')}`);
  for (const name of names) await api.register(name);
  const message = names.map((name) => `@${name}`).join(' ');
  const { body } = await create(`@MANY_00 ${message}`);
  const mentioned = body.items.user_definition.map(({ username }: { username: string }) => username);
  expect(mentioned).toEqual(names.slice(0, 20));
});

test('a post that mentions its own author has the current counters of the author', async () => {
  const dave = (await api.register('dave_d')).id;
  const { body } = await create('me, @dave_d', dave);
  expect(body.items.user_definition).toEqual([body.items.user]);
  expect(body.items.user.action.posts).toBe(1);
});

test('media of another account cannot be attached, and nothing is written', async () => {
  const before = await api.db.prisma.post.count();
  for (const media of ['1', '9007199254740991']) {
    const { status, body } = await api.call(`GET /post/create?message=x&media=${media}`, { claims: { acct: alice } });
    expect([status, body.code]).toEqual([403, 'media-not-usable']);
  }
  expect(await api.db.prisma.post.count()).toBe(before);
});

test('a deleted account cannot post', async () => {
  const { status } = await create('x', 1);
  expect(status).toBe(403);
});

test('R7 100 parallel posts of one account: the counter equals the rows', async () => {
  const erin = (await api.register('erin_e')).id;
  const responses = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => await create(`post ${String(index)}`, erin)),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const { postsCount } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: erin } });
  expect([postsCount, await api.db.prisma.post.count({ where: { authorId: erin } })]).toEqual([100, 100]);
});

describe('GET /post', () => {
  let frank: number;

  beforeAll(async () => {
    frank = (await api.register('frank_f')).id;
    for (let index = 1; index <= 105; index += 1) await create(`post ${String(index)}`, frank);
  });

  async function list(query: string) {
    const { status, body } = await api.call(`GET /post?user_id=${String(frank)}${query}`);
    return {
      status,
      total: body.total,
      count: body.count,
      texts: body.items?.map(({ text }: { text: string }) => text),
    };
  }

  const posts = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => `post ${String(from - index)}`);

  test('lists the latest first, 70 at a time by default', async () => {
    expect(await list('')).toEqual({ status: 200, total: 105, count: 70, texts: posts(105, 36) });
  });

  test('count and page', async () => {
    expect(await list('&count=10&page=2')).toEqual({ status: 200, total: 105, count: 10, texts: posts(95, 86) });
    expect(await list('&count=100')).toMatchObject({ count: 100 });
    expect(await list('&count=2147483648')).toMatchObject({ count: 100, texts: posts(105, 6) });
    expect(await list('&page=0&count=1')).toMatchObject({ texts: ['post 105'] });
    expect(await list('&page=0&count=0')).toMatchObject({ texts: ['post 105'] });
    expect(await list('&page=2')).toMatchObject({ count: 35, texts: posts(35, 1) });
  });

  test('D26 pages after the last are empty', async () => {
    expect(await list('&page=3')).toEqual({ status: 200, total: 105, count: 0, texts: [] });
    expect(await list('&page=2147483648')).toEqual({ status: 200, total: 105, count: 0, texts: [] });
  });

  test('an account without posts has an empty list; an unknown account is 404', async () => {
    const grace = (await api.register('grace_g')).id;
    expect((await api.call(`GET /post?user_id=${String(grace)}`)).body).toEqual({ total: 0, count: 0, items: [] });
    expect((await api.call('GET /post?user_id=1')).status).toBe(404);
  });

  test('D28 only the latest 3000 are reachable', async () => {
    const heidi = (await api.register('heidi_h')).id;
    await api.db.prisma.post.createMany({
      data: Array.from({ length: 3010 }, (_, index) => ({
        authorId: heidi,
        text: `post ${String(index)}`,
        mentionIds: [],
      })),
    });
    await api.db.prisma.account.update({ where: { id: heidi }, data: { postsCount: 3010 } });
    const last = await api.call(`GET /post?user_id=${String(heidi)}&count=100&page=30`);
    const beyond = await api.call(`GET /post?user_id=${String(heidi)}&count=100&page=31`);
    const across = await api.call(`GET /post?user_id=${String(heidi)}&count=70&page=43`);
    expect([last.body.total, last.body.count, beyond.body.count, across.body.count]).toEqual([3000, 100, 0, 60]);
    expect((await api.call(`GET /users/show?id=${String(heidi)}`)).body.action.posts).toBe(3010);
  });
});

test('D25 a post of a protected account is visible to itself and its followers; for others it does not exist', async () => {
  const owner = (await api.register('protected_p')).id;
  const follower = (await api.register('follower_p')).id;
  const stranger = (await api.register('stranger_p')).id;
  const { body } = await api.call('GET /post/create?message=secret', { claims: { acct: owner } });
  await api.call(`POST /follows/add`, {
    claims: { acct: follower },
    body: new URLSearchParams({ id: String(owner) }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await api.db.prisma.account.update({ where: { id: owner }, data: { protected: true } });
  const show = async (claims: Record<string, unknown>) =>
    await api.call(`GET /post/show?id=${String(body.items.id)}`, { claims });
  expect((await show({ acct: owner })).status).toBe(200);
  expect((await show({ acct: follower })).status).toBe(200);
  const absent = await api.call('GET /post/show?id=1', { claims: { acct: stranger } });
  for (const claims of [{ acct: stranger }, {}]) {
    const { status, body: problem } = await show(claims);
    expect([status, { ...problem, request_id: '' }]).toEqual([404, { ...absent.body, request_id: '' }]);
  }
});
