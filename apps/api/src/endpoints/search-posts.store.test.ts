import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  ada = await registerPerson(api, 'search_ada');
  ben = await registerPerson(api, 'search_ben');
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function search(query: string, paging: Readonly<Record<string, string>> = {}, reader = ben) {
  const { status, body } = await reader.get(`/search/posts?${new URLSearchParams({ query, ...paging }).toString()}`);
  expect([query, status, body.count]).toEqual([query, 200, body.items?.length]);
  return body;
}
const found = async (query: string, reader?: Person): Promise<number[]> =>
  (await search(query, {}, reader)).items.map(({ id }: { id: number }) => id);

test('D135 words, phrases and exclusions, in any case, width and accent', async () => {
  const brown = await ada.writes('The quick brown fox jumps over a Crème-brûlée in ZÜRICH');
  const red = await ada.writes('A quick red fox, brown eyes #zürich @search_ben');
  const both = [red, brown];
  const cases: Readonly<Record<string, readonly number[]>> = {
    'quick fox': both,
    'FOX quick': both,
    '"quick brown"': [brown],
    '“brown fox” quick': [brown],
    '"fox brown"': [red],
    'fox -red': [brown],
    'fox -"brown fox"': [red],
    zurich: both,
    ＺÜＲＩＣＨ: both,
    'creme-brulee': [brown],
    'brûlée-crème': [],
    '#zürich @search_ben': [red],
    qui: [],
  };
  for (const [query, ids] of Object.entries(cases)) {
    expect([query, await found(query)]).toEqual([query, ids]);
  }
});

test('text without spaces is found by any part of it, and by a single character', async () => {
  const texts = ['吾輩は猫である', '猫と犬', '犬も歩けば棒に当たる', 'สวัสดีชาวโลก', '서울에서 만나요'];
  const [cat, both, dog, thai, seoul] = await Promise.all(texts.map(async (text) => await ada.writes(text)));
  const sorted = (ids: readonly (number | undefined)[]) => ids.toSorted((a, b) => Number(b) - Number(a));
  expect(await found('猫')).toEqual(sorted([cat, both]));
  expect(await found('犬')).toEqual(sorted([both, dog]));
  expect(await found('猫である')).toEqual([cat]);
  expect(await found('は犬')).toEqual([]);
  expect(await found('ชาวโลก')).toEqual([thai]);
  expect(await found('서울')).toEqual([seoul]);
});

test('from:, has:media, since: and until:', async () => {
  const [old, recent] = [await ada.writes('dated'), await ben.writes('dated, too')];
  const day = 86_400_000;
  const { prisma } = api.db;
  const { ownerId, postId, name } = { ownerId: ben.id, postId: recent, name: `${'b'.repeat(32)}.png` };
  const media = await prisma.media.create({ data: { ownerId, name, bytes: 1, width: 1, height: 1 } });
  const pictured = (await ben.post('/post/create', { message: 'dated picture', media: Number(media.id) })).body.items
    .id;
  expect(postId).toBe(recent);
  expect(await found('dated from:search_ada')).toEqual([old]);
  expect(await found('dated from:@SEARCH_BEN -picture')).toEqual([recent]);
  expect(await found('from:search_nobody dated')).toEqual([]);
  expect(await found('has:media')).toEqual([pictured]);
  expect(await found('from:search_ben has:media dated')).toEqual([pictured]);
  const date = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
  expect(await found(`dated since:${date(-1)} until:${date(1)}`)).toEqual([pictured, recent, old]);
  expect(await found(`dated until:${date(-2)}`)).toEqual([]);
  expect(await found(`dated since:${date(2)}`)).toEqual([]);
  await ben.post('/media/delete', { id: Number(media.id) });
  expect(await found('has:media')).toEqual([]);
  expect(await found('dated picture')).toEqual([pictured]);
});

test('posts that were written at once, and after a deletion', async () => {
  const ids = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, index) => await (index % 2 === 0 ? ada : ben).writes(`atonce ${String(index)}`),
    ),
  );
  expect(await found('atonce')).toEqual(ids.toSorted((a, b) => b - a));
  await Promise.all([ada, ben].map(async (author, index) => await author.post('/post/delete', { id: ids[index] })));
  expect(await found('atonce')).toEqual(ids.slice(2).toSorted((a, b) => b - a));
});

test('muted accounts are left out, except with from:, and posts have the marks of the reader', async () => {
  const [muted, secret] = [await registerPerson(api, 'search_muted'), await registerPerson(api, 'search_secret')];
  const id = await muted.writes('mutedword');
  await ben.bookmarks(id);
  expect((await search('mutedword')).items[0].viewer).toEqual({ liked: 0, reposted: 0, bookmarked: 1, can_comment: 1 });
  await ben.post('/mutes/add', { id: muted.id });
  expect([await found('mutedword'), await found('mutedword from:search_muted')]).toEqual([[], [id]]);
  expect(await found('mutedword', ada)).toEqual([id]);
  await setProtected(api, secret, true);
  const hidden = await secret.writes('mutedword too');
  expect([await found('mutedword', ada), await found('mutedword', secret)]).toEqual([[id], [hidden, id]]);
});

test('a frequent word: page numbers lead through the latest posts, cursors to all, in order and once', async () => {
  // Older than all others. The word frequent is in the first 150, and in the last 150, which are among the latest 5,000. The word former is
  // in none of the latest 500.
  const numbers = Array.from({ length: 5200 }, (_, index) => 1000 + index);
  const toId = (number: number) => number * 4096 + (ada.id & 4092);
  const isThird = (number: number) => number % 3 === 0;
  const newer = await api.db.prisma.postSearch.count();
  await api.db.prisma.$executeRawUnsafe(
    `INSERT INTO post (id, author_id, text) SELECT g * 4096 + ${String(ada.id & 4092)}, ${String(ada.id)}, 'x' FROM generate_series(1000, 6199) g`,
  );
  await api.db.prisma.$executeRawUnsafe(
    `INSERT INTO post_search SELECT id, author_id, to_tsvector('simple', CASE WHEN g < 1150 OR g >= 6050 THEN 'frequent ' ELSE '' END
       || CASE WHEN g % 100 = 0 THEN 'seldom ' ELSE '' END || CASE WHEN g % 3 = 0 THEN 'third ' ELSE '' END
       || CASE WHEN g < 1100 OR g BETWEEN 1400 AND 1599 THEN 'former' ELSE '' END) FROM post, LATERAL (SELECT id / 4096 AS g) n WHERE g BETWEEN 1000 AND 6199`,
  );
  for (const [query, all, total] of [
    ['frequent', numbers.filter((number) => number < 1150 || number >= 6050).map(toId), 150],
    ['former', numbers.filter((number) => number < 1100 || (number >= 1400 && number < 1600)).map(toId), 200],
    ['seldom', numbers.filter((number) => number % 100 === 0).map(toId), 52],
    // Enough of the latest 500.
    ['third', numbers.filter(isThird).map(toId), numbers.slice(newer - 500).filter(isThird).length],
  ] as const) {
    expect(await walk(query, 'older', 2 ** 53 - 1)).toEqual(all.toReversed());
    expect(await walk(query, 'newer', 1)).toEqual(all);
    const [first, last] = [
      await search(query, { count: '50' }),
      await search(query, { count: '50', page: String(Math.ceil(total / 50)) }),
    ];
    expect([first.total, last.total, last.count]).toEqual([total, total, total % 50 === 0 ? 50 : total % 50]);
    expect(await search(query, { cursor: first.prev })).toMatchObject({ total, count: 0 });
  }
});

/** The ids of all posts from a cursor on, in reading direction. */
async function walk(query: string, direction: 'older' | 'newer', id: number): Promise<readonly number[]> {
  const walked: number[] = [];
  let cursor: string | undefined = Buffer.from(`${direction} ${String(id)}`).toString('base64url');
  while (cursor !== undefined) {
    const page = await search(query, { count: '100', cursor });
    const ids: number[] = page.items.map((post: { id: number }) => post.id);
    walked.push(...(direction === 'older' ? ids : ids.toReversed()));
    cursor = ids.length === 0 ? undefined : page[direction === 'older' ? 'next' : 'prev'];
  }
  return walked;
}
