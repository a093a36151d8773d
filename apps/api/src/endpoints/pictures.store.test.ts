import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { addMedia, describedBy, download, uploadDescribed } from '@linnet/test/api/media-requests';
import type { DescribedPicture } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** Posts with several pictures, and what describes a picture. */

let database: TestDatabase;
let api: RunningApi;
let alice: number;
let bob: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  alice = (await api.register('Alice_A')).id;
  bob = (await api.register('Bob_B')).id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const idOf = ({ id }: { readonly id: number }) => id;

async function get(target: string, acct?: number) {
  return await api.call(`GET ${target}`, { claims: acct === undefined ? {} : { acct } });
}

async function post(path: string, acct: number, body: object) {
  const headers = { 'content-type': 'application/json' };
  return await api.call(`POST ${path}`, { claims: { acct }, body: JSON.stringify(body), headers });
}

async function deleteMedia(id: number, acct: number) {
  return await post('/media/delete', acct, { id });
}

/** What a refused request must not change. */
async function stored() {
  const { postsCount } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: alice } });
  const attached = await api.db.prisma.media.count({ where: { postId: { not: null } } });
  return [await api.db.prisma.post.count(), postsCount, attached];
}

/** Every view of the latest post of an account, which `bob` likes. */
async function readViews(id: number, author: number) {
  return [
    (await get(`/post/show?id=${String(id)}`)).body.items,
    (await get(`/post/lookup?id=${String(id)}`)).body.items[0],
    (await get(`/post?user_id=${String(author)}`)).body.items[0],
    (await get('/feed', author)).body.items[0],
    (await get(`/users/show?id=${String(author)}`)).body.post,
    (await get(`/users/favorites?id=${String(bob)}&count=1`)).body.items[0],
    (await get('/timeline/public?count=1')).body.items[0],
    (await get('/search/posts?query=has:media+from:Dave_pictures')).body.items[0],
    (await post('/account/export', author, {})).body.posts[0],
  ];
}

const alts = ['A loom\nin a room 💙', '', '三', '"4", (\\)'];

test('D142 every response has the pictures in the order given, and media is the first', async () => {
  const dave = (await api.register('Dave_pictures')).id;
  const uploads: DescribedPicture[] = [];
  for (const alt of alts) uploads.push(await uploadDescribed(api, dave, alt));
  expect(uploads).toMatchObject(alts.map((alt) => ({ alt, width: 30, height: 20 })));
  const given = uploads.toReversed();
  const created = (await post('/post/create', dave, { message: 'x', attachments: given.map(idOf) })).body.items;
  const { attachments, media, id } = created;
  expect(attachments.map(describedBy)).toEqual(given);
  expect([media.image, media.files[0].download]).toEqual([attachments[0].image, attachments[0].download]);
  for (const { image, thumbnail, download: full } of attachments) {
    for (const address of [image, thumbnail, full]) expect((await download(api, address)).status).toBe(200);
  }
  await post('/likes/add', bob, { item_id: id, type: 'post' });
  for (const view of await readViews(id, dave)) expect([view.media, view.attachments]).toEqual([media, attachments]);
  const records = (await get('/media', dave)).body.items;
  const exported = (await post('/account/export', dave, {})).body.media;
  for (const { alt, ...picture } of uploads) {
    const described = expect.objectContaining({ ...picture, alt, item_id: id });
    expect([records, exported]).toEqual([expect.arrayContaining([described]), expect.arrayContaining([described])]);
  }
});

test.each<[what: string, attachments: (ids: readonly number[]) => unknown]>([
  ['an array', (ids) => ids],
  ['an array of digits', (ids) => ids.map(String)],
  ['text with commas', (ids) => ids.join(',')],
])('D142 takes the ids of pictures as %s', async (_what, attachments) => {
  const ids = await addMedia(api, alice, 2);
  const { body } = await post('/post/create', alice, { message: 'x', attachments: attachments(ids) });
  expect(body.items.attachments.map(idOf)).toEqual(ids);
});

test('D142 refuses what cannot be attached, says which, and changes nothing', async () => {
  const [free = 0, second = 0, used = 0, third = 0, fourth = 0, fifth = 0] = await addMedia(api, alice, 6);
  const [foreign = 0] = await addMedia(api, bob, 1);
  await post('/post/create', alice, { message: 'x', media: used });
  const before = await stored();
  const refusals: readonly (readonly [body: object, status: number, code: string, named: string])[] = [
    [{ attachments: [free, second, third, fourth, fifth] }, 400, 'invalid-parameter', '1 to 4'],
    [{ attachments: [free, second, free] }, 400, 'invalid-parameter', 'different'],
    [{ attachments: `${String(free)},` }, 400, 'invalid-parameter', '`attachments`'],
    [{ attachments: [free, [second]] }, 400, 'invalid-parameter', '`attachments`'],
    [{ attachments: { 0: free } }, 400, 'invalid-parameter', '`attachments`'],
    [{ attachments: [free], media: second }, 400, 'invalid-parameter', '`media`'],
    [{ attachments: [free, used] }, 409, 'media-attached', String(used)],
    [{ attachments: [free, foreign, used] }, 403, 'media-not-usable', String(foreign)],
    [{ attachments: [1, free] }, 403, 'media-not-usable', ': 1.'],
    [{ attachments: [free, second], message: '' }, 400, 'invalid-parameter', '`message`'],
  ];
  for (const [body, status, code, named] of refusals) {
    const refused = await post('/post/create', alice, { message: 'x', ...body });
    expect([body, refused.status, refused.body.code]).toEqual([body, status, code]);
    expect(refused.body.detail).toContain(named);
  }
  expect(await stored()).toEqual(before);
  expect((await get(`/post/create?message=x&attachments=${String(free)},${String(second)}`, alice)).status).toBe(200);
});

test('R7 of posts that want overlapping pictures in any order, each picture is in one, beside posts without any', async () => {
  const before = await stored();
  const rounds = Array.from({ length: 8 }, async () => {
    const ids = await addMedia(api, alice, 4);
    const wanted = [ids, ids.toReversed(), ids.slice(1), [ids[3], ids[0]]];
    const responses = await Promise.all([
      ...wanted.map(async (attachments) => await post('/post/create', alice, { message: 'x', attachments })),
      ...[1, 2].map(async () => await post('/post/create', alice, { message: 'plain' })),
    ]);
    expect(responses.slice(4).map(({ status }) => status)).toEqual([200, 200]);
    const created = responses.slice(0, 4).filter(({ status }) => status === 200);
    expect(responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const shown = created.flatMap(({ body }) => body.items.attachments.map(idOf));
    expect([created.length > 0, new Set(shown).size]).toEqual([true, shown.length]);
    return [created.length + 2, shown.length];
  });
  const [posts, pictures] = (await Promise.all(rounds)).reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d], []);
  const after = await stored();
  expect(after).toEqual([
    (before[0] ?? 0) + (posts ?? 0),
    (before[1] ?? 0) + (posts ?? 0),
    (before[2] ?? 0) + (pictures ?? 0),
  ]);
});

test('deleting pictures keeps the others in order, and has:media until the last', async () => {
  const ids = await addMedia(api, bob, 4);
  const { id } = (await post('/post/create', bob, { message: 'album', attachments: ids })).body.items;
  const found = async () => (await get('/search/posts?query=album+has:media')).body.items.map(idOf);
  await deleteMedia(ids[0] ?? 0, bob);
  const shown = (await get(`/post/show?id=${String(id)}`)).body.items;
  expect([shown.attachments.map(idOf), shown.media.image]).toEqual([ids.slice(1), shown.attachments[0].image]);
  await deleteMedia(ids[2] ?? 0, bob);
  expect(await found()).toEqual([id]);
  const last = await Promise.all([ids[1], ids[3]].map(async (one) => await deleteMedia(one ?? 0, bob)));
  expect(last.map(({ status }) => status)).toEqual([200, 200]);
  expect([await found(), (await get(`/post/show?id=${String(id)}`)).body.items.attachments]).toEqual([[], []]);
});

test('deleting a post removes all its pictures, also while they are deleted', async () => {
  const others = await addMedia(api, bob, 3);
  const album = (await post('/post/create', bob, { message: 'album', attachments: others })).body.items.id;
  const names = (await api.db.prisma.media.findMany({ where: { postId: album } })).map(({ name }) => name);
  const [deletion, ...deletions] = await Promise.all([
    post('/post/delete', bob, { id: album }),
    ...others.map(async (one) => await deleteMedia(one, bob)),
  ]);
  expect([deletion.status, deletions.filter(({ status }) => status !== 200 && status !== 404)]).toEqual([200, []]);
  expect(await api.db.prisma.media.count({ where: { id: { in: [...others] } } })).toBe(0);
  expect(await api.db.prisma.removedMediaFile.count({ where: { name: { in: names } } })).toBe(3);
});

const describeMedia = async (id: number, alt: unknown, acct = alice) => await post('/media/update', acct, { id, alt });

test('D142 POST /media/update changes what the picture shows in words, also in posts and their versions', async () => {
  const [id = 0, other = 0] = await addMedia(api, alice, 2);
  const updated = await describeMedia(id, 'First');
  expect([updated.status, updated.body]).toMatchObject([200, { id, item_id: 0, alt: 'First', user: { id: alice } }]);
  const { id: postId } = (await post('/post/create', alice, { message: 'x', attachments: [other, id] })).body.items;
  const targets = [`/post/show?id=${String(postId)}`, `/media/show?id=${String(id)}`];
  const versions = await Promise.all(targets.map(async (target) => (await get(target)).headers['etag']));
  const text = `${'💙'.repeat(1499)}\n`;
  expect((await describeMedia(id, text)).body).toMatchObject({ item_id: postId, alt: text });
  for (const [index, target] of targets.entries()) {
    const headers = { 'if-none-match': versions[index] ?? '' };
    const { status, body } = await api.call(`GET ${target}`, { headers });
    expect([status, JSON.stringify(body).includes(JSON.stringify(text))]).toEqual([200, true]);
  }
  const listed = (await get(`/post?user_id=${String(alice)}&count=1`)).body.items[0].attachments;
  expect(listed.map(({ alt }: { alt: string }) => alt)).toEqual(['', text]);
  expect((await describeMedia(id, '')).body.alt).toBe('');
});

const badTexts = ['x'.repeat(1501), 'a\u0007', '\u2800 \u{e0001}', 5, null, undefined];

test('a list shows a new alternative text, and signs the URLs of an account that has become protected', async () => {
  const writer = (await api.register('Writer_of_lists')).id;
  const [id = 0] = await addMedia(api, writer, 1);
  await post('/post/create', writer, { message: 'With a picture', media: id });
  const readPicture = async () => {
    const { media, attachments } = (await get(`/post?user_id=${String(writer)}`, writer)).body.items[0];
    return { address: media.image, alt: attachments[0].alt };
  };
  const first = await readPicture();
  // The text of the list's pictures is remembered from the first read on.
  expect(await readPicture()).toEqual(first);
  await describeMedia(id, 'A heron', writer);
  expect(await readPicture()).toEqual({ ...first, alt: 'A heron' });
  await api.db.prisma.account.update({ where: { id: writer }, data: { protected: true } });
  const signed = (await readPicture()).address;
  expect(signed).toMatch(/\?reader=\d+&expires=\d+&signature=[\w-]{43}$/);
  const expiresOf = (address: string) => Number(new URL(address).searchParams.get('expires'));
  // From half an hour before it expires, a list shows another URL.
  vi.useFakeTimers({ toFake: ['Date'], now: (expiresOf(signed) - 1800) * 1000 });
  const renewed = (await readPicture().finally(() => vi.useRealTimers())).address;
  expect(expiresOf(renewed) - expiresOf(signed)).toBe(1800);
  await api.db.prisma.account.update({ where: { id: writer }, data: { protected: false } });
  expect(await readPicture()).toEqual({ ...first, alt: 'A heron' });
});

test('D142 POST /media/update refuses bad texts', async () => {
  const [id = 0] = await addMedia(api, alice, 1);
  for (const alt of badTexts) {
    const { status, body } = await describeMedia(id, alt);
    expect([status, body.errors[0].parameter]).toEqual([400, 'alt']);
  }
});

test('D142 POST /media/update refuses media of others: 403 if it is visible, otherwise 404', async () => {
  const [attached = 0, unattached = 0] = await addMedia(api, alice, 2);
  await post('/post/create', alice, { message: 'x', media: attached });
  const outcomes = [];
  for (const id of [attached, unattached, 1]) {
    const { status, body } = await describeMedia(id, 'mine', bob);
    outcomes.push([status, body.code]);
  }
  expect(outcomes).toEqual([
    [403, 'not-owner'],
    [404, 'not-found'],
    [404, 'not-found'],
  ]);
  expect(await api.db.prisma.media.count({ where: { alt: 'mine' } })).toBe(0);
});
