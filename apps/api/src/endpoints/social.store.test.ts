import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let accounts: number[];
let post: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  accounts = [];
  for (let index = 0; index < 12; index += 1) accounts.push((await api.register(`social_${String(index)}`)).id);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  post = (await api.call('GET /post/create?message=liked+and+commented', as(0))).body.items.id;
});

function as(index: number) {
  return { claims: { acct: accounts[index] } };
}

function id(index: number): string {
  return String(accounts[index]);
}

async function send(target: string, account: number, body: Record<string, unknown>) {
  const { status, body: parsed } = await api.call(`POST ${target}`, {
    ...as(account),
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status, body: parsed };
}

const item = () => ({ item_id: post, type: 'post' });
const query = () => `item_id=${String(post)}&type=post`;
const names = (items: { username: string }[]) => items.map(({ username }) => username);

describe('likes', () => {
  test('D20 liking and unliking are idempotent and return the exact count', async () => {
    const liked = async () => (await api.call(`GET /likes/is_liked?${query()}`, as(1))).body;
    expect(await liked()).toEqual({ response: { liked: 0 } });
    expect(await send('/likes/add', 1, item())).toEqual({ status: 200, body: { count: 1 } });
    expect(await send('/likes/add', 1, item())).toEqual({ status: 200, body: { count: 1 } });
    expect(await send('/likes/add', 2, { item_id: String(post), type: 'post' })).toEqual({
      status: 200,
      body: { count: 2 },
    });
    expect(await liked()).toEqual({ response: { liked: 1 } });
    expect((await api.call(`GET /post/show?id=${String(post)}`)).body.items.action.likes).toBe(2);
    expect(await send('/likes/delete', 1, item())).toEqual({ status: 200, body: { count: 1 } });
    expect(await send('/likes/delete', 1, item())).toEqual({ status: 200, body: { count: 1 } });
    expect(await liked()).toEqual({ response: { liked: 0 } });
  });

  test('on an unknown post: 404', async () => {
    for (const path of ['/likes/add', '/likes/delete']) {
      expect((await send(path, 1, { item_id: 1, type: 'post' })).status).toBe(404);
    }
    expect((await api.call('GET /likes/is_liked?item_id=1&type=post', as(1))).status).toBe(404);
  });

  test('AP9 R7 many parallel likes and unlikes keep the counter equal to the rows, without a 5xx', async () => {
    const responses = await Promise.all(
      Array.from({ length: 240 }, async (_, index) => {
        const path = (index * 7) % 3 === 0 ? '/likes/delete' : '/likes/add';
        return await send(path, index % 12, item());
      }),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await api.db.prisma.postLike.count({ where: { postId: post } });
    expect((await api.call(`GET /post/show?id=${String(post)}`)).body.items.action.likes).toBe(rows);
  });

  test('D39 favorites: newest like first, in pages', async () => {
    const fan = accounts.push((await api.register('fan_of_posts')).id) - 1;
    const posts: number[] = [];
    for (const text of ['one', 'two', 'three']) {
      posts.push((await api.call(`GET /post/create?message=${text}`, as(0))).body.items.id);
    }
    for (const each of [posts[1], posts[0], posts[2]]) await send('/likes/add', fan, { item_id: each, type: 'post' });
    const list = async (more: string) => (await api.call(`GET /users/favorites?id=${id(fan)}${more}`)).body;
    const all = await list('');
    expect([all.total, all.count]).toEqual([3, 3]);
    expect(all.items.map((one: { id: number }) => one.id)).toEqual([posts[2], posts[0], posts[1]]);
    expect((await list('&count=1&page=2')).items.map((one: { id: number }) => one.id)).toEqual([posts[0]]);
    expect(await list('&page=9')).toEqual({ total: 3, count: 0, items: [] });
    expect((await api.call('GET /users/favorites?id=1')).status).toBe(404);
  });
});

describe('comments', () => {
  test('D30 a comment returns the four specified keys and the id, by POST and by GET', async () => {
    const { status, body } = await send('/comment/create', 3, { ...item(), text: '  Größe 💙 ' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 0,
      id: expect.any(Number),
      text: 'Größe 💙',
      created: expect.stringMatching(/^\w{3}, \w{3} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/),
      created_at: expect.stringMatching(/Z$/),
      ...{ link: expect.stringContaining('#comment-'), item_id: post, parent_id: 0 },
      user: expect.objectContaining({ id: accounts[3] }),
      ...{ hashtags: [], urls: [], mentions: [], user_definition: [] },
    });
    expect((await api.call(`GET /comment/create?${query()}&text=by+GET`, as(4))).status).toBe(200);
    const listed = await api.call(`GET /comment?${query()}`);
    expect(listed.body).toMatchObject({ total: 2, count: 2, items: [{ text: 'by GET' }, { text: 'Größe 💙' }] });
    expect((await api.call(`GET /post/show?id=${String(post)}`)).body.items.action.comments).toBe(2);
  });

  test('on an unknown post: 404; a post without comments has an empty list', async () => {
    expect((await send('/comment/create', 3, { item_id: 1, type: 'post', text: 'x' })).status).toBe(404);
    expect((await api.call('GET /comment?item_id=1&type=post')).status).toBe(404);
    expect((await api.call(`GET /comment?${query()}`)).body).toEqual({ total: 0, count: 0, items: [] });
  });

  test('R7 100 parallel comments: the counter equals the rows', async () => {
    await Promise.all(
      Array.from(
        { length: 100 },
        async (_, index) => await send('/comment/create', index % 12, { ...item(), text: 'x' }),
      ),
    );
    const listed = await api.call(`GET /comment?${query()}&count=30&page=4`);
    expect([listed.body.total, listed.body.count]).toEqual([100, 10]);
    expect(await api.db.prisma.comment.count({ where: { postId: post } })).toBe(100);
  });

  test('D28 only the latest 3000 are reachable', async () => {
    await api.db.prisma.comment.createMany({
      // Ids of the past. 3010 new ones would put the clock of ids more than a second ahead. Those of the following tests would then share
      // milliseconds, in the order of their shards (docs/decisions/0020-ids-with-shards.md).
      data: Array.from({ length: 3010 }, (_, index) => ({
        id: BigInt(post) - (BigInt(index + 1) << 12n) + 1n,
        postId: post,
        authorId: accounts[0] ?? 0,
        text: 'x',
      })),
    });
    await api.db.prisma.post.update({ where: { id: post }, data: { commentsCount: 3010 } });
    const page = async (number: number) =>
      (await api.call(`GET /comment?${query()}&count=100&page=${String(number)}`)).body;
    expect([(await page(30)).total, (await page(30)).count, (await page(31)).count]).toEqual([3000, 100, 0]);
  });
});

describe('follows', () => {
  test('D38 Details 2 following and unfollowing are idempotent; lists are newest first', async () => {
    const following = async () =>
      (await api.call(`GET /follows/is_following?id=${id(7)}`, as(8))).body.response.following;
    expect(await following()).toBe(0);
    expect(await send('/follows/add', 8, { id: accounts[7] })).toEqual({
      status: 200,
      body: { count: 1, requested: 0 },
    });
    expect(await send('/follows/add', 8, { id: accounts[7] })).toEqual({
      status: 200,
      body: { count: 1, requested: 0 },
    });
    expect(await send('/follows/add', 9, { id: accounts[7] })).toEqual({
      status: 200,
      body: { count: 2, requested: 0 },
    });
    expect(await following()).toBe(1);
    const followers = (await api.call(`GET /users/followers?id=${id(7)}`)).body;
    expect([followers.total, followers.count, names(followers.items)]).toEqual([2, 2, ['social_9', 'social_8']]);
    const followed = (await api.call(`GET /users/following?id=${id(8)}`)).body;
    expect([followed.total, names(followed.items)]).toEqual([1, ['social_7']]);
    expect(followers.items[0].action).toMatchObject({ following: 1 });
    expect(await send('/follows/delete', 8, { id: accounts[7] })).toEqual({ status: 200, body: { count: 1 } });
    expect(await send('/follows/delete', 8, { id: accounts[7] })).toEqual({ status: 200, body: { count: 1 } });
    expect((await api.call(`GET /users/followers?id=${id(7)}&count=1&page=2`)).body).toEqual({
      total: 1,
      count: 0,
      items: [],
    });
  });

  test('the own account: 400; an unknown account: 404', async () => {
    expect((await send('/follows/add', 8, { id: accounts[8] })).body.errors).toEqual([
      expect.objectContaining({ parameter: 'id', code: 'invalid' }),
    ]);
    for (const path of ['/follows/add', '/follows/delete']) expect((await send(path, 8, { id: 1 })).status).toBe(404);
    expect((await api.call('GET /users/followers?id=1')).status).toBe(404);
    expect((await api.call('GET /users/following?id=1')).status).toBe(404);
  });

  test('R7 parallel follows and unfollows of all accounts: counters equal rows, no deadlocks', async () => {
    const pairs = accounts.flatMap((_, a) => accounts.map((__, b) => [a, b] as const)).filter(([a, b]) => a !== b);
    const responses = await Promise.all(
      [...pairs, ...pairs].map(
        async ([a, b], index) =>
          await send(index % 5 === 0 ? '/follows/delete' : '/follows/add', a, { id: accounts[b] }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    for (const account of accounts) {
      const row = await api.db.prisma.account.findUniqueOrThrow({ where: { id: account } });
      const followers = await api.db.prisma.follow.count({ where: { followedId: account } });
      const following = await api.db.prisma.follow.count({ where: { followerId: account } });
      expect([row.followersCount, row.followingCount]).toEqual([followers, following]);
    }
  });
});
