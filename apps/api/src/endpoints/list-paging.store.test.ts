import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** D26, D28: pages and cursors of every list. */

let database: TestDatabase;
let api: RunningApi;
let subject: number;
let others: number[];
let post: number;
/** The client id of the tokens in these tests. */
const clientId = 'client-0123456789';

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  subject = (await api.register('paged_subject')).id;
  others = [];
  for (let index = 0; index < 12; index += 1) others.push((await api.register(`paged_${String(index)}`)).id);
  post = await write(other(0), 'commented');
  await api.db.prisma.application.create({ data: { ownerId: other(0), clientId, name: 'App', type: 'public' } });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function other(index: number): number {
  return others[index] ?? 0;
}

async function write(acct: number, message: string): Promise<number> {
  return (await api.call(`GET /post/create?message=${message}`, { claims: { acct } })).body.items.id;
}

interface List {
  readonly path: () => string;
  /** Adds item number n. Higher numbers are newer. */
  readonly add: (number: number) => Promise<unknown>;
  /** Removes the item. */
  readonly remove: (number: number) => Promise<unknown>;
}

/** A record whose URL ends with its number. */
function mediaOf(number: number) {
  const name = `${'a'.repeat(28)}${String(number).padStart(4, '0')}.png`;
  return { ownerId: subject, name, bytes: 1, width: 1, height: 1 };
}

const texts = (account: () => number): Pick<List, 'add' | 'remove'> => ({
  add: async (number) => await write(account(), `n${String(number)}`),
  remove: async (number) =>
    await api.db.prisma.post.deleteMany({ where: { authorId: account(), text: `n${String(number)}` } }),
});

/** The post that is edited. */
const edited = { post: 0 };

async function editPost(number: number): Promise<void> {
  const body = new URLSearchParams({ id: String(edited.post), message: `n${String(number)}` }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await api.call('POST /post/edit', { claims: { acct: subject }, body, headers });
}

/** As if the post had never had the text. */
async function removeVersion(number: number): Promise<void> {
  const { post: posts, postVersion } = api.db.prisma;
  const text = `n${String(number)}`;
  const latest = await postVersion.findFirstOrThrow({ where: { postId: edited.post }, orderBy: { id: 'desc' } });
  const { count } = await posts.updateMany({ where: { text }, data: { text: latest.text, versionId: latest.id } });
  await postVersion.deleteMany({
    where: { postId: edited.post, text: { in: count === 0 ? [text] : [text, latest.text] } },
  });
}

const lists: Record<string, List> = {
  '/post': { path: () => `/post?user_id=${String(subject)}`, ...texts(() => subject) },
  '/feed': { path: () => '/feed?', ...texts(() => subject) },
  '/timeline/public': { path: () => '/timeline/public?', ...texts(() => subject) },
  '/hashtags/posts': {
    path: () => '/hashtags/posts?hashtag=paged',
    add: async (number) => await write(subject, `%23paged%20n${String(number)}`),
    remove: async (number) => await api.db.prisma.post.deleteMany({ where: { text: `#paged n${String(number)}` } }),
  },
  '/search/posts': {
    path: () => '/search/posts?query=%22paged%20words%22',
    add: async (number) => await write(subject, `paged%20words%20n${String(number)}`),
    remove: async (number) =>
      await api.db.prisma.post.deleteMany({ where: { text: `paged words n${String(number)}` } }),
  },
  '/search/posts of an author': {
    path: () => '/search/posts?query=from:paged_subject',
    ...texts(() => subject),
  },
  '/mentions': {
    path: () => '/mentions?',
    add: async (number) => await write(other(2), `@paged_subject+n${String(number)}`),
    remove: async (number) =>
      await api.db.prisma.post.deleteMany({ where: { text: `@paged_subject n${String(number)}` } }),
  },
  '/notifications': {
    path: () => '/notifications?',
    add: async (number) => {
      const postId = await write(subject, `n${String(number)}`);
      await api.db.prisma.postLike.create({ data: { accountId: other(2), postId, authorId: subject } });
    },
    remove: async (number) =>
      await api.db.prisma.post.deleteMany({ where: { authorId: subject, text: `n${String(number)}` } }),
  },
  '/comment': {
    path: () => `/comment?item_id=${String(post)}&type=post`,
    add: async (number) =>
      await api.db.prisma.comment.create({ data: { postId: post, authorId: subject, text: `n${String(number)}` } }),
    remove: async (number) => await api.db.prisma.comment.deleteMany({ where: { text: `n${String(number)}` } }),
  },
  '/post/history': {
    path: () => `/post/history?id=${String(edited.post)}`,
    // The first one creates the post.
    add: async (number) => {
      if (number === 1) edited.post = await write(subject, 'n1');
      else await editPost(number);
    },
    remove: removeVersion,
  },
  '/media': {
    path: () => '/media?',
    add: async (number) => await api.db.prisma.media.create({ data: mediaOf(number) }),
    remove: async (number) => {
      await api.db.prisma.media.delete({ where: { name: mediaOf(number).name } });
    },
  },
  '/users/favorites': {
    path: () => `/users/favorites?id=${String(subject)}`,
    add: async (number) => {
      const postId = await write(other(1), `n${String(number)}`);
      await api.db.prisma.postLike.create({ data: { accountId: subject, postId, authorId: other(1) } });
    },
    remove: async (number) =>
      await api.db.prisma.postLike.deleteMany({ where: { accountId: subject, post: { text: `n${String(number)}` } } }),
  },
  '/bookmarks': {
    path: () => '/bookmarks?',
    add: async (number) => {
      const postId = await write(other(1), `n${String(number)}`);
      await api.db.prisma.bookmark.create({ data: { accountId: subject, postId, authorId: other(1) } });
    },
    remove: async (number) =>
      await api.db.prisma.bookmark.deleteMany({ where: { accountId: subject, post: { text: `n${String(number)}` } } }),
  },
  '/likes': {
    path: () => `/likes?item_id=${String(post)}&type=post`,
    add: async (number) =>
      await api.db.prisma.postLike.create({ data: { accountId: other(number), postId: post, authorId: other(0) } }),
    remove: async (number) =>
      await api.db.prisma.postLike.deleteMany({ where: { accountId: other(number), postId: post } }),
  },
  '/reposts': {
    path: () => `/reposts?item_id=${String(post)}&type=post`,
    add: async (number) =>
      await api.db.prisma.repost.create({ data: { accountId: other(number), postId: post, authorId: other(0) } }),
    remove: async (number) =>
      await api.db.prisma.repost.deleteMany({ where: { accountId: other(number), postId: post } }),
  },
  '/users/followers': {
    path: () => `/users/followers?id=${String(subject)}`,
    add: async (number) =>
      await api.db.prisma.follow.create({ data: { followerId: other(number), followedId: subject } }),
    remove: async (number) =>
      await api.db.prisma.follow.deleteMany({ where: { followerId: other(number), followedId: subject } }),
  },
  '/users/following': {
    path: () => `/users/following?id=${String(subject)}`,
    add: async (number) =>
      await api.db.prisma.follow.create({ data: { followerId: subject, followedId: other(number) } }),
    remove: async (number) =>
      await api.db.prisma.follow.deleteMany({ where: { followerId: subject, followedId: other(number) } }),
  },
  '/follows/requests': {
    path: () => '/follows/requests?',
    add: async (number) =>
      await api.db.prisma.followRequest.create({ data: { followerId: other(number), followedId: subject } }),
    remove: async (number) =>
      await api.db.prisma.followRequest.deleteMany({ where: { followerId: other(number), followedId: subject } }),
  },
  '/account/grants': {
    path: () => '/account/grants?',
    add: async (number) => {
      const scope = `n${String(number)}`;
      const grant = { id: scope, accountId: subject, clientId, kind: 'consent' as const, scopes: [scope] };
      await api.db.prisma.grant.create({ data: grant });
    },
    remove: async (number) => await api.db.prisma.grant.deleteMany({ where: { id: `n${String(number)}` } }),
  },
  // Come last, since blocks and mutes hide what other lists show.
  '/mutes': {
    path: () => '/mutes?',
    add: async (number) => await api.db.prisma.mute.create({ data: { muterId: subject, mutedId: other(number) } }),
    remove: async (number) =>
      await api.db.prisma.mute.deleteMany({ where: { muterId: subject, mutedId: other(number) } }),
  },
  '/blocks': {
    path: () => '/blocks?',
    add: async (number) => await api.db.prisma.block.create({ data: { blockerId: subject, blockedId: other(number) } }),
    remove: async (number) =>
      await api.db.prisma.block.deleteMany({ where: { blockerId: subject, blockedId: other(number) } }),
  },
};

/** The number of an item: its text, username or URL ends with it. */
function numberOf(item: {
  text?: string;
  username?: string;
  scope?: string;
  post?: { text: string };
  media?: { image: string };
}): number {
  const text = item.text ?? item.post?.text ?? item.username ?? item.scope ?? item.media?.image ?? '';
  return Number(/(\d+)(?:\.png)?$/.exec(text)?.[1]);
}

async function read(path: string) {
  const { status, body, headers } = await api.call(`GET ${path}`, { claims: { acct: subject } });
  expect([path, status, body.count]).toEqual([path, 200, body.items?.length]);
  return {
    numbers: body.items.map(numberOf) as number[],
    total: body.total,
    next: body.next,
    prev: body.prev,
    headers,
  };
}

describe.each(Object.entries(lists))('%s', (name, { path, add, remove }) => {
  beforeAll(async () => {
    // The public timeline would also contain the post that is commented on.
    const isHidden = name === '/timeline/public';
    await api.db.prisma.account.update({ where: { id: other(0) }, data: { protected: isHidden } });
    // A feed also contains what earlier lists created.
    await api.db.prisma.$transaction([
      api.db.prisma.follow.deleteMany({}),
      api.db.prisma.notification.deleteMany({}),
      api.db.prisma.post.deleteMany({ where: { authorId: subject } }),
      api.db.prisma.account.update({
        where: { id: subject },
        data: { postsCount: 0, followersCount: 0, followingCount: 0 },
      }),
    ]);
    for (let number = 1; number <= 7; number += 1) await add(number);
  });

  test('D26 next leads through the whole list and prev back to its start', async () => {
    const forwards: number[][] = [];
    let page = await read(`${path()}&count=3`);
    for (;;) {
      forwards.push(page.numbers);
      expect(page.total).toBe(7);
      if (page.next === undefined) break;
      page = await read(`${path()}&count=3&cursor=${String(page.next)}`);
    }
    expect(forwards).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    const backwards: number[][] = [];
    let first = page;
    while (page.prev !== undefined) {
      page = await read(`${path()}&count=3&cursor=${String(page.prev)}`);
      backwards.push(page.numbers);
      if (page.numbers.length > 0) first = page;
    }
    expect(backwards).toEqual([[4, 3, 2], [7, 6, 5], []]);
    expect([first.next, page.next]).toEqual([expect.any(String), undefined]);
  });

  test('prev of the first page leads to what is added later, and to it alone', async () => {
    const { prev } = await read(path());
    expect((await read(`${path()}&cursor=${String(prev)}`)).numbers).toEqual([]);
    await add(8);
    const added = await read(`${path()}&cursor=${String(prev)}`);
    expect([added.numbers, added.next, added.prev]).toEqual([[8], expect.any(String), expect.any(String)]);
    await remove(8);
  });

  test('numbered pages have the same items and cursors; pages after the last are empty', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (number) => await read(`${path()}&count=3&page=${String(number)}`)),
    );
    expect(pages.map(({ numbers }) => numbers)).toEqual([[7, 6, 5], [4, 3, 2], [1], []]);
    expect(pages.map(({ next, prev }) => [next !== undefined, prev !== undefined])).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [false, false],
    ]);
    const byCursor = await read(`${path()}&count=3&page=9&cursor=${String(pages[0]?.next)}`);
    expect([byCursor.numbers, byCursor.next, byCursor.prev]).toEqual([[4, 3, 2], pages[1]?.next, pages[1]?.prev]);
  });

  test.each([1, 6, 7, 8, 100, 101])('count %i', async (count) => {
    const page = await read(`${path()}&count=${String(count)}`);
    expect([page.numbers.length, page.next !== undefined]).toEqual([Math.min(count, 7), count < 7]);
  });

  test('Link agrees with next and prev', async () => {
    const page = await read(`${path()}&count=3&page=2`);
    const links = [...String(page.headers['link']).matchAll(/<([^>]+)>; rel="(\w+)"/g)];
    const found = Object.fromEntries(links.map(([, url, relation]) => [relation, new URL(String(url))]));
    expect(Object.keys(found)).toEqual(['next', 'prev']);
    expect(found['next']?.origin).toBe('https://linnet.example');
    for (const relation of ['next', 'prev'] as const) {
      expect(found[relation]?.searchParams.get('cursor')).toBe(page[relation]);
      expect(found[relation]?.searchParams.has('page')).toBe(false);
    }
    const next = `${String(found['next']?.pathname.replace('/api/v2.0', ''))}${String(found['next']?.search)}`;
    expect((await read(next)).numbers).toEqual([1]);
    expect((await read(path())).headers['link']).toMatch(/^<[^>]+>; rel="prev"$/);
    expect((await read(`${path()}&page=9`)).headers['link']).toBeUndefined();
  });

  test('a cursor keeps its position while items are added and removed', async () => {
    const first = await read(`${path()}&count=3`);
    await add(8);
    await add(9);
    await remove(5);
    const second = await read(`${path()}&count=3&cursor=${String(first.next)}`);
    expect(second.numbers).toEqual([4, 3, 2]);
    const back = await read(`${path()}&count=3&cursor=${String(second.prev)}`);
    expect(back.numbers).toEqual([8, 7, 6]);
    expect((await read(`${path()}&count=3&cursor=${String(back.prev)}`)).numbers).toEqual([9]);
  });
});

describe('D28 the window of 3000', () => {
  const windowed = {
    '/post': () => `/post?user_id=${String(subject)}`,
    '/feed': () => '/feed?',
    '/media': () => '/media?',
    '/hashtags/posts': () => '/hashtags/posts?hashtag=many',
    '/comment': () => `/comment?item_id=${String(post)}&type=post`,
  };

  beforeAll(async () => {
    const { prisma } = api.db;
    await prisma.follow.deleteMany({});
    await prisma.post.deleteMany({ where: { authorId: subject } });
    await prisma.comment.deleteMany({});
    await prisma.media.deleteMany({});
    const numbers = Array.from({ length: 3100 }, (_, index) => index + 1);
    await prisma.post.createMany({
      data: numbers.slice(50).map((number) => ({ authorId: subject, text: `n${String(number)}`, mentionIds: [] })),
    });
    const reposted = await prisma.post.createManyAndReturn({
      data: numbers.slice(0, 50).map((number) => ({ authorId: other(2), text: `n${String(number)}`, mentionIds: [] })),
    });
    const tagged = [...(await prisma.post.findMany({ where: { authorId: subject } })), ...reposted];
    await prisma.postHashtag.createMany({
      data: tagged.map(({ id, authorId }) => ({ hashtag: 'many', postId: id, authorId })),
    });
    await prisma.repost.createMany({
      data: reposted.map(({ id }) => ({ accountId: subject, postId: id, authorId: other(2) })),
    });
    await prisma.media.createMany({ data: numbers.map((number) => mediaOf(number)) });
    await prisma.comment.createMany({
      data: numbers.map((number) => ({ postId: post, authorId: subject, text: `n${String(number)}` })),
    });
    await prisma.account.update({ where: { id: subject }, data: { postsCount: 3050 } });
  });

  test.each(Object.entries(windowed))(
    'D28 %s: only the latest 3000 are reachable, by page or by cursor',
    async (_name, path) => {
      let page = await read(`${path()}&count=100`);
      const walked = [...page.numbers];
      while (page.next !== undefined) {
        page = await read(`${path()}&count=100&cursor=${String(page.next)}`);
        walked.push(...page.numbers);
      }
      expect([page.total, walked.length, new Set(walked).size]).toEqual([3000, 3000, 3000]);
      const last = await read(`${path()}&count=100&page=30`);
      expect([last.numbers, last.next]).toEqual([walked.slice(-100), undefined]);
      const across = await read(`${path()}&count=70&page=43`);
      expect([across.numbers.length, across.next]).toEqual([60, undefined]);
      expect((await read(`${path()}&count=100&page=31`)).numbers).toEqual([]);
      // A cursor outside of the window leads back into it, but not further down.
      const past = (word: string) => Buffer.from(`${word} 1`).toString('base64url');
      expect((await read(`${path()}&cursor=${past('older')}`)).numbers).toEqual([]);
      const back = await read(`${path()}&count=100&cursor=${past('newer')}`);
      expect([back.numbers, back.next]).toEqual([walked.slice(-100), undefined]);
    },
  );
});
