import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** D25: what each kind of viewer sees in each list that could contain content of a protected account. */

let database: TestDatabase;
let api: RunningApi;

/** `self` is protected. `approved` follows it, `requested` sent a request; `stranger` follows only `approved`. */
const viewers = ['self', 'approved', 'requested', 'stranger', 'application'] as const;
type Viewer = (typeof viewers)[number];
const accounts = {} as Record<Exclude<Viewer, 'application'> | 'open' | 'deleted', number>;
const posts = {} as Record<'secret' | 'open' | 'ofDeleted' | 'mentioning', number>;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  for (const name of ['self', 'approved', 'requested', 'stranger', 'open', 'deleted'] as const) {
    accounts[name] = (await api.register(`matrix_${name}`)).id;
  }
  const { self, approved, requested, stranger, open, deleted } = accounts;
  posts.secret = await write(self, 'secret');
  posts.open = await write(open, 'open');
  posts.ofDeleted = await write(deleted, 'gone');
  posts.mentioning = await write(open, 'about @matrix_self @matrix_deleted @matrix_open');
  const { prisma } = api.db;
  for (const [postId, authorId] of [
    [posts.secret, self],
    [posts.open, open],
    [posts.ofDeleted, deleted],
  ] as const) {
    await prisma.postLike.create({ data: { accountId: approved, postId, authorId } });
    await prisma.repost.create({ data: { accountId: approved, postId, authorId } });
    await prisma.comment.create({ data: { authorId: open, postId, text: 'a comment' } });
    await prisma.postLike.create({ data: { accountId: deleted, postId, authorId } });
    await prisma.repost.create({ data: { accountId: deleted, postId, authorId } });
  }
  for (const [followerId, followedId] of [
    [approved, self],
    [deleted, self],
    [stranger, approved],
    [stranger, deleted],
  ]) {
    await prisma.follow.create({ data: { followerId: followerId ?? 0, followedId: followedId ?? 0 } });
  }
  for (const followerId of [requested, deleted]) {
    await prisma.followRequest.create({ data: { followerId, followedId: self } });
  }
  await prisma.account.update({ where: { id: self }, data: { protected: true } });
  await prisma.account.update({ where: { id: deleted }, data: { deletedAt: new Date() } });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function write(acct: number, message: string): Promise<number> {
  const query = new URLSearchParams({ message }).toString();
  return (await api.call(`GET /post/create?${query}`, { claims: { acct } })).body.items.id;
}

async function get(viewer: Viewer, path: string) {
  return await api.call(`GET ${path}`, { claims: viewer === 'application' ? {} : { acct: accounts[viewer] } });
}

const ids = (items: { id: number }[]) => items.map(({ id }) => id);
const mayRead = (viewer: Viewer) => viewer === 'self' || viewer === 'approved';

describe.each(viewers)('%s', (viewer) => {
  test('GET /post of the protected account', async () => {
    const { status, body } = await get(viewer, `/post?user_id=${String(accounts.self)}`);
    const found = status === 200 ? [status, body.total, ids(body.items)] : [status, body.code];
    expect(found).toEqual(mayRead(viewer) ? [200, 1, [posts.secret]] : [403, 'protected-account']);
  });

  test('GET /post of an account that reposted: each repost with account and time', async () => {
    const { body } = await get(viewer, `/post?user_id=${String(accounts.approved)}`);
    const expected = mayRead(viewer) ? [posts.open, posts.secret] : [posts.open];
    expect([body.total, ids(body.items)]).toEqual([expected.length, expected]);
    expect(body.items[0]).toMatchObject({
      user: { id: accounts.open },
      repost: { user: { id: accounts.approved }, created: expect.any(String), created_at: expect.stringMatching(/Z$/) },
    });
    expect(body.items[0].repost.id).not.toBe(posts.open);
  });

  test('D25 GET /users/favorites, including total', async () => {
    const { body } = await get(viewer, `/users/favorites?id=${String(accounts.approved)}`);
    const expected = mayRead(viewer) ? [posts.open, posts.secret] : [posts.open];
    expect([body.total, ids(body.items)]).toEqual([expected.length, expected]);
  });

  test('GET /comment of the protected post: 404 for those who may not see it', async () => {
    const { status, body } = await get(viewer, `/comment?item_id=${String(posts.secret)}&type=post`);
    const absent = await get(viewer, '/comment?item_id=1&type=post');
    const found = [status, body.total, body.code];
    expect(found).toEqual(mayRead(viewer) ? [200, 1, undefined] : [404, undefined, 'not-found']);
    expect(mayRead(viewer) || body.detail === absent.body.detail).toBe(true);
  });

  test.each(['likes', 'reposts'])(
    'D119 GET /%s: who reacted, without deleted accounts; 404 without access',
    async (list) => {
      const read = async (id: number) => await get(viewer, `/${list}?item_id=${String(id)}&type=post`);
      const { status, body } = await read(posts.secret);
      const found = status === 200 ? [body.total, ids(body.items)] : [status, body.detail];
      expect(found).toEqual(mayRead(viewer) ? [1, [accounts.approved]] : [404, (await read(1)).body.detail]);
      const open = await read(posts.open);
      expect([open.body.total, ids(open.body.items)]).toEqual([1, [accounts.approved]]);
      expect((await read(posts.ofDeleted)).status).toBe(404);
    },
  );

  test('D121 GET /timeline/public: the same posts for everyone, without those of protected and deleted accounts', async () => {
    const { body } = await get(viewer, '/timeline/public');
    expect([body.total, ids(body.items)]).toEqual([2, [posts.mentioning, posts.open]]);
    const mentioned = mayRead(viewer) ? [accounts.self, accounts.open] : [accounts.open];
    expect(ids(body.items[0].user_definition)).toEqual(mentioned);
  });

  test('the latest post of GET /users/show', async () => {
    const { status, body } = await get(viewer, `/users/show?id=${String(accounts.self)}`);
    expect([status, body.username, body.post?.id]).toEqual([
      200,
      'matrix_self',
      mayRead(viewer) ? posts.secret : undefined,
    ]);
  });

  test('mentions: the protected account for approved followers, the deleted one for nobody', async () => {
    const expected = mayRead(viewer) ? [accounts.self, accounts.open] : [accounts.open];
    const shown = (await get(viewer, `/post/show?id=${String(posts.mentioning)}`)).body.items;
    const listed = (await get(viewer, `/post?user_id=${String(accounts.open)}`)).body.items[0];
    const latest = (await get(viewer, `/users/show?id=${String(accounts.open)}`)).body.post;
    for (const post of [shown, listed, latest]) expect(ids(post.user_definition)).toEqual(expected);
  });

  test('lists of followers and followed accounts stay readable, without deleted accounts', async () => {
    const followers = await get(viewer, `/users/followers?id=${String(accounts.self)}`);
    expect([followers.body.total, ids(followers.body.items)]).toEqual([1, [accounts.approved]]);
    const following = await get(viewer, `/users/following?id=${String(accounts.stranger)}`);
    expect([following.body.total, ids(following.body.items)]).toEqual([1, [accounts.approved]]);
  });

  test('Details 2 GET /follows/requests: only those of the acting account, without deleted accounts', async () => {
    const { status, body } = await get(viewer, '/follows/requests');
    const expected = viewer === 'self' ? [accounts.requested] : [];
    const found = status === 200 ? [body.total, ids(body.items)] : [status, body.code];
    expect(found).toEqual(viewer === 'application' ? [403, 'user-context-required'] : [expected.length, expected]);
  });

  test('D31 GET /feed: posts and reposts of the account and of those it follows', async () => {
    const { status, body } = await get(viewer, '/feed');
    const expected = {
      self: [posts.secret],
      approved: [posts.open, posts.secret, posts.secret],
      requested: [],
      stranger: [posts.open],
      application: [],
    }[viewer];
    const found = status === 200 ? [body.total, ids(body.items)] : [status, body.code];
    expect(found).toEqual(viewer === 'application' ? [403, 'user-context-required'] : [expected.length, expected]);
  });

  test('lists of a deleted and of an unknown account: 404', async () => {
    for (const id of [accounts.deleted, 1]) {
      for (const path of [
        '/post?user_id',
        '/users/favorites?id',
        '/users/followers?id',
        '/users/following?id',
        '/users/show?id',
      ]) {
        expect([path, (await get(viewer, `${path}=${String(id)}`)).status]).toEqual([path, 404]);
      }
    }
    expect((await get(viewer, `/comment?item_id=${String(posts.ofDeleted)}&type=post`)).status).toBe(404);
  });
});

// Their requests share statements and rows.
test('viewers who read a list at the same time: a hidden repost is missing only for those who may not see it', async () => {
  const path = `/post?user_id=${String(accounts.approved)}`;
  const read = async (viewer: Viewer) => {
    const all = await get(viewer, `${path}&count=10`);
    const pages = await Promise.all(
      [1, 2].map(async (page) => await get(viewer, `${path}&count=1&page=${String(page)}`)),
    );
    const { next } = pages[0]?.body ?? {};
    const older = typeof next === 'string' ? [await get(viewer, `${path}&count=1&cursor=${next}`)] : [];
    return [all, ...pages, ...older].map(({ body }) => [body.total, ids(body.items)]);
  };
  const crowd = Array.from({ length: 20 }, () => viewers).flat();
  const found = await Promise.all(crowd.map(read));
  const { open, secret } = posts;
  for (const [index, viewer] of crowd.entries()) {
    const second = mayRead(viewer) ? [secret] : [];
    const total = mayRead(viewer) ? 2 : 1;
    const expected = [[open, ...second], [open], second, ...(mayRead(viewer) ? [second] : [])];
    expect([viewer, found[index]]).toEqual([viewer, expected.map((items) => [total, items])]);
  }
});

test('more reposts than a list has, newer ones hidden from everyone: who may see an older one gets it', async () => {
  const { self, open } = accounts;
  const { id: reposter } = await api.register('matrix_reposter');
  const { id: hidden } = await api.register('matrix_hidden');
  const { prisma } = api.db;
  await prisma.account.update({ where: { id: hidden }, data: { protected: true } });
  const authors = [self, ...Array.from({ length: 2999 }, () => open), hidden];
  const written = await prisma.post.createManyAndReturn({
    data: authors.map((authorId) => ({ authorId, text: 'reposted', mentionIds: [] })),
  });
  await prisma.repost.createMany({
    data: written.map(({ id, authorId }) => ({ accountId: reposter, postId: id, authorId })),
  });
  const read = async (viewer: Viewer) => {
    const { body } = await get(viewer, `/post?user_id=${String(reposter)}&count=100&page=30`);
    return [body.total, body.items.length, body.items.at(-1).user.id];
  };
  const found = await Promise.all((['approved', 'stranger', 'self', 'application'] as const).map(read));
  expect(found).toEqual([
    [3000, 100, self],
    [2999, 99, open],
    [3000, 100, self],
    [2999, 99, open],
  ]);
});
