import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let ada: Person;
let ben: Person;
/** Reads what the others wrote, and has marks of each kind. */
let eve: Person;
/** Reads the same and has none. */
let tom: Person;
let plain: number;
let liked: number;
let reposted: number;
let all: number;

beforeAll(async () => {
  const database: TestDatabase = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  ada = await registerPerson(api, 'viewer_ada');
  ben = await registerPerson(api, 'viewer_ben');
  eve = await registerPerson(api, 'viewer_eve');
  tom = await registerPerson(api, 'viewer_tom');
  plain = await ada.writes('plain');
  liked = await ada.writes('liked');
  reposted = await ada.writes('reposted');
  all = await ada.writes('all');
  for (const post of [plain, liked, reposted, all]) {
    await ben.likes(post);
    await ben.bookmarks(post);
  }
  for (const post of [liked, all]) await eve.likes(post);
  for (const post of [reposted, all]) {
    await eve.reposts(post);
    await eve.bookmarks(post);
  }
  for (const reader of [eve, tom]) await reader.follows(ada);
  await ada.follows(eve);
});
afterAll(() => cleanup.disposeAsync());

type Bit = 0 | 1;
const marks = (likes: Bit, reposts: Bit, bookmarks: Bit) => ({
  liked: likes,
  reposted: reposts,
  bookmarked: bookmarks,
  can_comment: 1,
});
const none = marks(0, 0, 0);

/** The marks of posts by id. */
async function readList(target: string, claims: Readonly<Record<string, unknown>>) {
  const { status, body } = await api.call(`GET ${target}`, { claims });
  const items: { id: number; viewer?: unknown }[] = body.items;
  expect([status, items.length > 0]).toEqual([200, true]);
  return new Map(items.map(({ id, viewer }) => [id, viewer]));
}

const lists: Readonly<Record<string, () => string>> = {
  'GET /post of their author': () => `/post?user_id=${String(ada.id)}`,
  'GET /post of who reposted them': () => `/post?user_id=${String(eve.id)}`,
  'GET /feed': () => '/feed?',
  'GET /feed by cursor': () => `/feed?cursor=${Buffer.from(`older ${String(2 ** 53 - 1)}`).toString('base64url')}`,
  'GET /users/favorites': () => `/users/favorites?id=${String(ben.id)}`,
  'GET /timeline/public': () => '/timeline/public?',
};

describe.each(Object.entries(lists))('%s', (_name, path) => {
  test('D123 every post has the marks of the acting account, and no others', async () => {
    const expected = new Map([
      [plain, none],
      [liked, marks(1, 0, 0)],
      [reposted, marks(0, 1, 1)],
      [all, marks(1, 1, 1)],
    ]);
    const [ofEve, ofTom] = [await readList(path(), { acct: eve.id }), await readList(path(), { acct: tom.id })];
    for (const [id, viewer] of ofEve) expect([id, viewer]).toEqual([id, expected.get(id)]);
    for (const [id, viewer] of ofTom) expect([id, viewer]).toEqual([id, none]);
    expect(ofEve.size).toBeGreaterThan(1);
  });

  test('is the same for concurrent readers as for each alone', async () => {
    const readers = [eve, tom, ben, eve, tom, ada];
    const read = async (reader: Person) => (await reader.get(path())).body;
    const alone = [];
    for (const reader of readers) alone.push(await read(reader));
    expect(await Promise.all(readers.map(read))).toEqual(alone);
  });
});

test('long pages with text that looks like marks, alone, concurrent and compressed', async () => {
  const writer = await registerPerson(api, 'viewer_writer');
  const looksLikeMarks = '"viewer":{"liked":0,"reposted":0,"bookmarked":0,"can_comment":0} größe 💙';
  const ids: number[] = [];
  for (let number = 0; number < 14; number += 1) ids.unshift(await writer.writes(looksLikeMarks));
  const marked = ids.filter((_id, index) => index % 3 === 0);
  for (const id of marked) await eve.bookmarks(id);
  const path = `/post?user_id=${String(writer.id)}&count=14`;
  const expected = (reader: Person) =>
    new Map(ids.map((id) => [id, marks(0, 0, reader === eve && marked.includes(id) ? 1 : 0)]));
  for (const reader of [eve, tom]) expect(await readList(path, { acct: reader.id })).toEqual(expected(reader));
  const readers = [eve, tom, eve, tom, ada];
  const pages = await Promise.all(readers.map(async ({ id }) => await readList(path, { acct: id })));
  expect(pages).toEqual(readers.map(expected));
  const headers = { 'accept-encoding': 'br' };
  const { body } = await api.call(`GET ${path}`, { claims: { acct: eve.id }, headers });
  expect(body.items.map(({ text }: { text: string }) => text)).toEqual(ids.map(() => looksLikeMarks));
  expect(body.items[0].viewer).toEqual(marks(0, 0, 1));
});

test('a token that acts for nobody gets no marks', async () => {
  for (const target of [`/post?user_id=${String(ada.id)}`, `/users/favorites?id=${String(ben.id)}`]) {
    expect([...new Set((await readList(target, {})).values())]).toEqual([undefined]);
  }
  for (const target of [`/post/show?id=${String(all)}`, `/users/show?id=${String(ada.id)}`]) {
    expect(JSON.stringify((await api.call(`GET ${target}`)).body)).not.toContain('"viewer"');
  }
});

test('GET /post/show, /users/show and new posts', async () => {
  const show = async (reader: Person, id: number) =>
    (await reader.get(`/post/show?id=${String(id)}`)).body.items.viewer;
  expect(await Promise.all([plain, liked, reposted, all].map(async (id) => await show(eve, id)))).toEqual([
    none,
    marks(1, 0, 0),
    marks(0, 1, 1),
    marks(1, 1, 1),
  ]);
  expect(await show(tom, all)).toEqual(none);
  expect((await eve.get(`/users/show?id=${String(ada.id)}`)).body.post.viewer).toEqual(marks(1, 1, 1));
  expect((await eve.post('/post/create', { message: 'new' })).body.items.viewer).toEqual(none);
});

test('a mark is there right after the call that sets it, and gone after the one that removes it', async () => {
  const seen = async () => (await tom.get(`/post/show?id=${String(plain)}`)).body.items.viewer;
  await tom.likes(plain);
  await tom.reposts(plain);
  expect(await seen()).toEqual(marks(1, 1, 0));
  await tom.bookmarks(plain);
  await tom.unlikes(plain);
  expect(await seen()).toEqual(marks(0, 1, 1));
  await tom.unreposts(plain);
  await tom.unbookmarks(plain);
  expect(await seen()).toEqual(none);
});

test('posts of a protected account, in a list that is read for its viewer', async () => {
  const own = await registerPerson(api, 'viewer_protected');
  const post = await own.writes('secret');
  await eve.follows(own);
  await eve.likes(post);
  await setProtected(api, own, true);
  expect(await readList(`/post?user_id=${String(own.id)}`, { acct: eve.id })).toEqual(
    new Map([[post, marks(1, 0, 0)]]),
  );
});

describe('accounts', () => {
  const relation = (following: 0 | 1, follow_requested: 0 | 1, followed_by: 0 | 1) => ({
    ...{ muted: 0, blocked: 0, blocking: 0 },
    following,
    follow_requested,
    followed_by,
  });
  const shown = async (reader: Person, other: Pick<Person, 'id'>) =>
    (await reader.get(`/users/show?id=${String(other.id)}`)).body.viewer;

  test('GET /users/show says who follows whom', async () => {
    expect(await shown(eve, ada)).toEqual(relation(1, 0, 1));
    expect(await shown(ada, tom)).toEqual(relation(0, 0, 1));
    expect(await shown(tom, ada)).toEqual(relation(1, 0, 0));
    expect(await shown(tom, ben)).toEqual(relation(0, 0, 0));
    expect(await shown(tom, tom)).toBeUndefined();
  });

  test('a follow request, approved and ended', async () => {
    const closed = await registerPerson(api, 'viewer_closed');
    await setProtected(api, closed, true);
    await tom.follows(closed);
    expect(await shown(tom, closed)).toEqual(relation(0, 1, 0));
    const requests = await closed.get('/follows/requests');
    expect(requests.body.items.map(({ viewer }: { viewer: unknown }) => viewer)).toEqual([relation(0, 0, 0)]);
    await closed.approves(tom);
    expect(await shown(tom, closed)).toEqual(relation(1, 0, 0));
    await tom.unfollows(closed);
    expect(await shown(tom, closed)).toEqual(relation(0, 0, 0));
  });

  test.each([
    ['/users/followers', () => `id=${String(ada.id)}`],
    ['/users/following', () => `id=${String(eve.id)}`],
    ['/likes', () => `item_id=${String(plain)}&type=post`],
    ['/reposts', () => `item_id=${String(all)}&type=post`],
  ])('%s has the relation of each account to the acting one', async (path, query) => {
    for (const reader of [eve, tom, ada]) {
      const { items } = (await reader.get(`${path}?${query()}`)).body;
      expect(items.length).toBeGreaterThan(0);
      for (const { id, viewer } of items) {
        expect([id, viewer]).toEqual([id, await shown(reader, { id })]);
      }
    }
    const { items } = (await api.call(`GET ${path}?${query()}`)).body;
    expect(JSON.stringify(items)).not.toContain('"viewer"');
  });
});
