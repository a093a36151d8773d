import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { computeTrends } from '@linnet/social/hashtag/trend-store';
import { registerPerson } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let people: Person[];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  people = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async (name) => await registerPerson(api, `tags_${name}`)),
  );
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function person(index: number): Person {
  const found = people[index];
  if (found === undefined) throw new RangeError('no such person');
  return found;
}

async function read(path: string, hashtag: string, acct = person(0).id) {
  const query = new URLSearchParams({ hashtag }).toString();
  return (await api.call(`GET /hashtags/${path}?${query}`, { claims: { acct } })).body;
}
const postsWith = async (hashtag: string): Promise<number[]> =>
  (await read('posts', hashtag)).items.map(({ id }: { id: number }) => id);
const found = async (prefix: string, acct?: number): Promise<string[]> =>
  (await read('search', prefix, acct)).items.map(({ text }: { text: string }) => text);

async function trends() {
  await computeTrends(api.db);
  return (await api.call('GET /hashtags/trending')).body.items;
}

test('D125 a post is found by each spelling of its hashtags, also when several accounts write at once', async () => {
  const texts = ['#Straße #STRASSE', 'über #straße', '#ＳＴＲＡＳＳＥ and #Σίσυφος', '#strasse, #other'];
  const ids = await Promise.all(texts.map(async (text, index) => await person(index).writes(text)));
  for (const spelling of ['strasse', '#STRASSE', 'Straße', 'ｓｔｒａｓｓｅ']) {
    expect((await postsWith(spelling)).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  }
  expect(await postsWith('ΣΊΣΥΦΟΣ')).toEqual([ids[2]]);
  expect(await postsWith('stras')).toEqual([]);
});

test.each(['می\u200Cخواهم', 'ශ\u0DCA\u200Dරී'])(
  'a post is found by %s, a hashtag with a joiner, also on its page',
  async (hashtag) => {
    const id = await person(1).writes(`#${hashtag}!`);
    expect(await postsWith(hashtag)).toEqual([id]);
    // A person who types it has the joiner at the end for a moment.
    const typed = hashtag.slice(0, hashtag.search(/[\u200C\u200D]/) + 1);
    expect([await found(typed), await found(hashtag)]).toEqual([[hashtag], [hashtag]]);
    const { status, body } = await api.get(`/tags/${encodeURIComponent(hashtag)}`);
    expect([status, body.includes(`/p/${String(id)}"`)]).toEqual([200, true]);
  },
);

test('posts have the marks of the reader, and disappear when they are deleted', async () => {
  const id = await person(1).writes('#marked');
  await person(0).likes(id);
  expect((await read('posts', 'marked')).items[0]).toMatchObject({ id, viewer: { liked: 1, reposted: 0 } });
  await person(1).post('/post/delete', { id });
  expect([await postsWith('marked'), await found('marked')]).toEqual([[], []]);
});

test('text that unfolds to many characters can be posted; its hashtag has no posts', async () => {
  const hashtag = '\uFDFA'.repeat(50);
  await person(0).writes(`#${hashtag} #${'x'.repeat(101)} #fits`);
  expect([await postsWith(hashtag), await postsWith('x'.repeat(101))]).toEqual([[], []]);
  expect(await postsWith('fits')).toHaveLength(1);
});

test('a prefix finds hashtags in alphabetical order, in any case; not those only in posts that the reader cannot see', async () => {
  await person(0).writes('#find_b #find_a #Find_C #finder');
  const hidden = await registerPerson(api, 'tags_hidden');
  await hidden.post('/account/update', { protected: true });
  await hidden.writes('#find_secret #find_a');
  expect(await found('FIND_')).toEqual(['find_a', 'find_b', 'find_c']);
  expect(await found('find_', hidden.id)).toEqual(['find_a', 'find_b', 'find_c', 'find_secret']);
  expect(await found('find_zzz')).toEqual([]);
});

test('one account cannot make a trend, however often it posts; protected, suspended and deleted accounts do not count', async () => {
  for (let index = 0; index < 5; index += 1) await person(0).writes(`#spam ${String(index)}`);
  const others = await Promise.all(
    ['protected', 'suspended', 'deleted'].map(async (name) => await registerPerson(api, `trend_${name}`)),
  );
  for (const [index, other] of others.entries()) {
    await other.writes('#spam');
    const data = [{ protected: true }, { suspendedAt: new Date() }, { deletedAt: new Date() }][index] ?? {};
    await api.db.prisma.account.update({ where: { id: other.id }, data });
  }
  const texts = async () => (await trends()).map(({ text }: { text: string }) => text);
  expect(await texts()).not.toContain('spam');
  await person(1).writes('#spam');
  expect(await trends()).toContainEqual({ text: 'spam', accounts: 2, posts: 6 });
});

test('a hashtag that is used now trends above one that more accounts used yesterday, and searches show it first', async () => {
  const day = 86_400_000 * 2 ** 12;
  const old = await Promise.all([0, 1, 2].map(async (index) => await person(index).writes('#trend_a_old')));
  for (const id of old) {
    await api.db.prisma.postHashtag.deleteMany({ where: { postId: id } });
    const row = { text: '#trend_a_old', mentionIds: [], id: id - day, authorId: person(old.indexOf(id)).id };
    await api.db.prisma.post.create({ data: row });
    await api.db.prisma.postHashtag.create({
      data: { hashtag: 'trend_a_old', postId: row.id, authorId: row.authorId },
    });
  }
  await Promise.all([0, 1].map(async (index) => await person(index).writes('#trend_b_new')));
  await person(0).writes('#trend_aa');
  const texts = (await trends()).map(({ text }: { text: string }) => text);
  expect(texts.filter((text: string) => text.startsWith('trend_'))).toEqual(['trend_b_new', 'trend_a_old']);
  expect(await found('trend_')).toEqual(['trend_b_new', 'trend_a_old', 'trend_aa']);
});

test('D199 a hashtag is followed in any spelling, shown with the follow wherever it is read, and listed for oneself only', async () => {
  const [ada, ben] = [await registerPerson(api, 'follows_ada'), await registerPerson(api, 'follows_ben')];
  await ada.writes('#Weiß and #weir');
  const act = async (verb: 'add' | 'delete', hashtag: string) =>
    (await ada.post(`/hashtags/follows/${verb}`, { hashtag })).body.response;
  for (const spelling of ['#WEISS', 'weiß', 'weir']) expect(await act('add', spelling)).toEqual({ following: 1 });
  const list = async (reader: Person, query = '') => (await reader.get(`/hashtags/follows${query}`)).body;
  const weiss = { text: 'weiss', accounts: 0, posts: 0, viewer: { following: 1 } };
  const weir = { ...weiss, text: 'weir' };
  expect(await list(ada)).toEqual({ total: 2, count: 2, items: [weir, weiss], prev: expect.any(String) });
  const first = await list(ada, '?count=1');
  expect([first.items, (await list(ada, `?cursor=${String(first.next)}`)).items]).toEqual([[weir], [weiss]]);
  expect(await list(ben)).toEqual({ total: 0, count: 0, items: [] });
  const show = async (acct?: number) =>
    (await api.call('GET /hashtags/show?hashtag=Weiss', acct === undefined ? {} : { claims: { acct } })).body;
  const { viewer: _viewer, ...plain } = weiss;
  expect([await show(ada.id), await show(ben.id), await show()]).toEqual([
    weiss,
    { ...plain, viewer: { following: 0 } },
    plain,
  ]);
  expect((await read('search', 'wei', ada.id)).items).toEqual([weir, weiss]);
  const exported = (await ada.post('/account/export', {})).body.followed_hashtags;
  expect(exported).toEqual(['weiss', 'weir']);
  for (const spelling of ['Weiß', 'weiß']) expect(await act('delete', spelling)).toEqual({ following: 0 });
  expect((await list(ada)).items).toEqual([weir]);
});

test('D199 what trends says whether the reader follows it', async () => {
  await Promise.all([0, 1].map(async (index) => await person(index).writes('#trend_followed')));
  await person(0).post('/hashtags/follows/add', { hashtag: 'trend_followed' });
  await computeTrends(api.db);
  const following = async (acct?: number) => {
    const { items } = (await api.call('GET /hashtags/trending', acct === undefined ? {} : { claims: { acct } })).body;
    return items.find(({ text }: { text: string }) => text === 'trend_followed').viewer;
  };
  expect([await following(person(0).id), await following(person(1).id), await following()]).toEqual([
    { following: 1 },
    { following: 0 },
    undefined,
  ]);
});

test.each(['\uFDFA'.repeat(50), 'x'.repeat(101), '2026'])(
  'no post can have the hashtag %s, so nobody follows it',
  async (hashtag) => {
    const { status, body } = await person(0).post('/hashtags/follows/add', { hashtag });
    expect([status, body.errors[0].parameter]).toEqual([400, 'hashtag']);
    const deleted = await person(0).post('/hashtags/follows/delete', { hashtag });
    expect([deleted.status, (await read('show', hashtag)).viewer]).toEqual([200, { following: 0 }]);
  },
);

test('100 hashtags, exactly, also when they are followed at the same time', async () => {
  const follower = person(3);
  const data = Array.from({ length: 97 }, (_, index) => ({ accountId: follower.id, hashtag: `n${String(index)}` }));
  await api.db.prisma.hashtagFollow.createMany({ data });
  const hashtags = Array.from({ length: 8 }, (_, index) => `race${String(index)}`);
  const responses = await Promise.all(
    hashtags.map(async (hashtag) => await follower.post('/hashtags/follows/add', { hashtag })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = responses.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.body.code]).toEqual([400, 'invalid-parameter']);
  expect((await follower.post('/hashtags/follows/add', { hashtag: 'N1' })).status).toBe(200);
  expect((await follower.get('/hashtags/follows?count=100')).body).toMatchObject({ total: 100, count: 100 });
});
