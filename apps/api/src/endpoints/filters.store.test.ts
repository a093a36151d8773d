import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { sweepWordFilters } from '@linnet/social/filter/word-filter-store';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { registerThree } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
/** Ada has filters, Ben writes, and Cleo reads. */
let ada: Person;
let ben: Person;
let cleo: Person;
let post: number;
let plain: number;
let comment: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  [ada, ben, cleo] = await registerThree(api);
  await ada.follows(ben);
  plain = await ben.writes('nothing of interest #tagged');
  post = await ben.writes(`A SPÖILER "of" the end #tagged @${ada.username}`);
  comment = await ben.comments(post, `the spoiler again @${ada.username}`);
  for (const id of [plain, post]) {
    await ada.likes(id);
    await ada.bookmarks(id);
  }
  await ada.post('/filters/add', { text: 'Spoiler' });
  await ada.post('/filters/add', { text: 'the end' });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Marked {
  readonly id: number;
  readonly text?: string;
  readonly viewer?: { readonly filtered?: readonly string[] };
}

/** All posts and comments in a response with the filters that match. */
function marksIn(value: unknown): Record<string, readonly string[] | undefined> {
  if (typeof value !== 'object' || value === null) return {};
  const own = value as Marked;
  const marks = typeof own.text === 'string' && typeof own.id === 'number' ? { [own.id]: own.viewer?.filtered } : {};
  return Object.assign(marks, ...Object.values(value).map(marksIn));
}

const both = ['the end', 'Spoiler'];
const item = () => `item_id=${String(post)}&type=post`;

test.each<[name: string, path: () => string, hasPlain: boolean, hasComment: boolean]>([
  ['the feed', () => '/feed', true, false],
  ['the public timeline', () => '/timeline/public', true, false],
  ['the posts of an account', () => `/post?user_id=${String(ben.id)}`, true, false],
  ['posts with a hashtag', () => '/hashtags/posts?hashtag=tagged', true, false],
  ['a search', () => '/search/posts?query=tagged', true, false],
  ['a search of an author', () => `/search/posts?query=from:${ben.username}`, true, false],
  ['liked posts', () => `/users/favorites?id=${String(ada.id)}`, true, false],
  ['bookmarks', () => '/bookmarks', true, false],
  ['a look-up', () => `/post/lookup?id=${String(post)},${String(plain)}`, true, false],
  ['a post', () => `/post/show?id=${String(post)}`, false, false],
  ['an account', () => `/users/show?id=${String(ben.id)}`, false, false],
  ['mentions', () => '/mentions', false, true],
  ['notifications', () => '/notifications', false, true],
  ['comments', () => `/comment?${item()}`, false, true],
  ['a comment', () => `/comment/show?id=${String(comment)}`, false, true],
])(
  'D143 %s: what matches is marked for who has the filters, and stays in its place',
  async (name, path, hasPlain, hasComment) => {
    const { status, body } = await ada.get(path());
    const marks = marksIn(body);
    expect([name, status, marks[comment]]).toEqual([name, 200, hasComment ? ['Spoiler'] : undefined]);
    expect([both, undefined]).toContainEqual(marks[post]);
    expect([plain in marks, marks[plain]]).toEqual([hasPlain, undefined]);
    expect(marks[post] ?? marks[comment]).toBeDefined();
    for (const other of [ben, cleo]) {
      const { body: unmarked } = await other.get(path());
      expect(JSON.stringify(unmarked)).not.toContain('"filtered"');
    }
  },
);

test('readers who share a page see their own filters only, beside their other marks', async () => {
  const read = async (person: Person, path: string) => marksIn((await person.get(path)).body)[post];
  await cleo.post('/filters/add', { text: 'of', match: 'word' });
  const paths = ['/timeline/public', `/post?user_id=${String(ben.id)}`];
  const pages = paths.flatMap((path) => [ada, ben, cleo, ada].map(async (person) => await read(person, path)));
  const expected = [both, undefined, ['of'], both];
  expect(await Promise.all(pages)).toEqual([...expected, ...expected]);
  const feed = (await ada.get('/feed')).body.items.find(({ id }: Marked) => id === post);
  expect(feed.viewer).toEqual({ liked: 1, reposted: 0, bookmarked: 1, can_comment: 1, filtered: both });
});

test('a filter is listed, replaced, ends and is removed; nobody else sees or removes it', async () => {
  const add = async (input: object) => (await cleo.post('/filters/add', { ...input })).body;
  const list = async () =>
    (await cleo.get('/filters')).body.items.map(({ text, match }: { text: string; match: string }) => [text, match]);
  const { id, ...first } = await add({ text: 'Listed', ends_at: '2099-01-01T00:00:00Z' });
  expect(first).toMatchObject({
    text: 'Listed',
    match: 'word',
    ends: expect.any(String),
    ends_at: '2099-01-01T00:00:00.000Z',
  });
  const replaced = await add({ text: 'LÍSTED!', match: 'part' });
  expect([replaced.id, replaced.ends_at, await list()]).toEqual([
    id,
    undefined,
    [
      ['LÍSTED!', 'part'],
      ['of', 'word'],
    ],
  ]);
  expect((await ada.post('/filters/delete', { id })).status).toBe(404);
  const exported = (await cleo.post('/account/export', {})).body.word_filters;
  expect(exported[1]).toEqual({
    text: 'LÍSTED!',
    match: 'part',
    created: expect.any(String),
    created_at: expect.any(String),
  });
  await api.db.prisma.wordFilter.update({ where: { id }, data: { endsAt: new Date(Date.now() - 1) } });
  expect(await list()).toEqual([['of', 'word']]);
  await sweepWordFilters(api.db);
  expect(await api.db.prisma.wordFilter.count({ where: { id } })).toBe(0);
  const { items } = (await cleo.get('/filters')).body;
  const deleted = await cleo.post('/filters/delete', { id: items[0].id });
  expect([deleted.status, deleted.body]).toEqual([200, { status: 'succeeded', message: 'The filter was deleted.' }]);
  expect(JSON.stringify((await cleo.get(`/post/show?id=${String(post)}`)).body)).not.toContain('filtered');
});

test('100 filters, exactly, also when they are added at the same time; a change of one of them is allowed', async () => {
  const accountId = ben.id;
  await api.db.prisma.wordFilter.createMany({
    data: Array.from({ length: 97 }, (_, index) => ({
      accountId,
      text: `n${String(index)}`,
      folded: ` n${String(index)} `,
      part: false,
    })),
  });
  const texts = Array.from({ length: 8 }, (_, index) => `race${String(index)}`);
  const responses = await Promise.all(texts.map(async (text) => await ben.post('/filters/add', { text })));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = responses.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.body.code, refused?.body.errors[0].parameter]).toEqual([
    400,
    'invalid-parameter',
    'text',
  ]);
  expect((await ben.get('/filters')).body.total).toBe(100);
  expect((await ben.post('/filters/add', { text: 'N1', match: 'part' })).status).toBe(200);
});
