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
let hidden: Person;
let gone: Person;
const posts = {} as Record<'first' | 'second' | 'hidden' | 'gone', number>;

beforeAll(async () => {
  const database: TestDatabase = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  [ada, ben] = [await registerPerson(api, 'lookup_ada'), await registerPerson(api, 'lookup_ben')];
  [hidden, gone] = [await registerPerson(api, 'lookup_hidden'), await registerPerson(api, 'lookup_gone')];
  posts.first = await ada.writes('one');
  posts.second = await ada.writes('two, with @lookup_ben');
  posts.hidden = await hidden.writes('secret');
  posts.gone = await gone.writes('gone');
  await ben.likes(posts.second);
  await ben.follows(ada);
  await setProtected(api, hidden, true);
  await api.db.prisma.account.update({ where: { id: gone.id }, data: { deletedAt: new Date() } });
});
afterAll(() => cleanup.disposeAsync());

const ids = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id);
const post = (id: number) => ({ objectType: 'post', id });

describe('GET /post/lookup', () => {
  const lookUp = async (reader: Person, asked: readonly number[]) =>
    (await reader.get(`/post/lookup?id=${asked.join(',')}`)).body;

  test('D124 returns posts in the order asked, each once, and lists what is absent or hidden alike', async () => {
    const { count, items, missing } = await lookUp(ben, [
      ...[posts.second, 5, posts.hidden, posts.first],
      ...[posts.second, posts.gone, 5],
    ]);
    expect([count, ids(items)]).toEqual([2, [posts.second, posts.first]]);
    expect(missing).toEqual([5, posts.hidden, posts.gone].map(post));
  });

  test('every post is as GET /post/show returns it, for each reader', async () => {
    for (const reader of [ada, ben, hidden]) {
      for (const item of (await lookUp(reader, Object.values(posts))).items) {
        expect(item).toEqual((await reader.get(`/post/show?id=${String(item.id)}`)).body.items);
      }
    }
    expect(ids((await lookUp(hidden, [posts.hidden])).items)).toEqual([posts.hidden]);
    expect((await lookUp(ben, [posts.second])).items[0].viewer).toEqual({
      liked: 1,
      reposted: 0,
      bookmarked: 0,
      can_comment: 1,
    });
    const anonymous = await api.call(`GET /post/lookup?id=${String(posts.second)}`);
    expect(anonymous.body.items[0]).not.toHaveProperty('viewer');
  });

  test('takes 100 ids in one statement, and no more', async () => {
    const many = Array.from({ length: 101 }, (_, index) => index + 1);
    api.statements.length = 0;
    const { count, missing } = await lookUp(ben, many.slice(0, 100));
    expect([count, missing.length, api.statements.length]).toEqual([0, 100, 1]);
    const { status, body } = await ben.get(`/post/lookup?id=${many.join(',')}`);
    expect([status, body.errors[0].detail]).toEqual([400, 'must be 1 to 100 positive integers, separated by commas']);
  });

  test.each(['1,', ',1', '1,,2', '1,x', '1, 2', '1;2', '01,2', '1,0'])('rejects %j', async (asked) => {
    expect((await ben.get(`/post/lookup?id=${encodeURIComponent(asked)}`)).status).toBe(400);
  });
});

describe('GET /users/lookup', () => {
  const lookUp = async (query: string) => (await ben.get(`/users/lookup?${query}`)).body;

  test('by id and by username, those by id first, each account once', async () => {
    const byBoth = `id=${String(hidden.id)},7&username=LOOKUP_ada,lookup_Hidden,Nobody_Here,nobody_here,lookup_gone`;
    const { count, items, missing } = await lookUp(byBoth);
    expect([count, ids(items)]).toEqual([2, [hidden.id, ada.id]]);
    expect(missing.map(({ id, username }: Record<string, unknown>) => id ?? username)).toEqual([
      ...[7, 'nobody_here', 'lookup_gone'],
    ]);
    expect(missing[0]).toEqual({ objectType: 'account', id: 7 });
  });

  test('has the marks of the acting account, and not those of itself', async () => {
    const { items } = await lookUp(`id=${[ada.id, ben.id].join(',')}`);
    expect(items[0].viewer).toMatchObject({ following: 1, follow_requested: 0, followed_by: 0 });
    expect(items[1]).not.toHaveProperty('viewer');
    expect(items[0]).not.toHaveProperty('email');
  });

  test('needs one of the two', async () => {
    for (const query of ['', 'id=', 'username=', 'other=1']) {
      const { status, body } = await ben.get(`/users/lookup?${query}`);
      expect([query, status, body.errors[0].parameter]).toEqual([query, 400, 'id']);
    }
  });
});
