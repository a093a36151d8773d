import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { download, uploadImage } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

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

async function createPost(acct: number, media?: number) {
  const query = media === undefined ? '' : `&media=${String(media)}`;
  return await get(`/post/create?message=look${query}`, acct);
}

async function deleteMedia(id: number, acct: number) {
  const headers = { 'content-type': 'application/json' };
  return await api.call('POST /media/delete', { claims: { acct }, body: JSON.stringify({ id }), headers });
}

describe('attaching (decisions D11, D29)', () => {
  test('every response with the post has the image', async () => {
    const media = await uploadImage(api, alice);
    const created = await createPost(alice, media);
    const { name, bytes } = await api.db.prisma.media.findUniqueOrThrow({ where: { id: media } });
    const expected = {
      image: `https://linnet.example/media/display/${name}`,
      files: [{ name, filesize: bytes, download: `https://linnet.example/media/${name}` }],
    };
    const { viewer: _viewer, ...post } = created.body.items;
    expect([created.status, post.media]).toEqual([200, expected]);
    expect((await get(`/post/show?id=${String(post.id)}`)).body.items).toEqual(post);
    expect((await get(`/post?user_id=${String(alice)}&count=1`)).body.items[0].media).toEqual(expected);
    expect((await get(`/users/show?id=${String(alice)}`)).body.post.media).toEqual(expected);
    await api.call('POST /likes/add', {
      claims: { acct: bob },
      body: JSON.stringify({ item_id: post.id, type: 'post' }),
      headers: { 'content-type': 'application/json' },
    });
    expect((await get(`/users/favorites?id=${String(bob)}`)).body.items[0].media).toEqual(expected);
    for (const address of [expected.image, expected.files[0]?.download ?? '']) {
      expect((await download(api, address)).status).toBe(200);
    }
  });

  test('media of others and unknown media get the same response, attached media 409; nothing is written', async () => {
    const media = await uploadImage(api, alice);
    const before = await api.db.prisma.post.count();
    const foreign = await createPost(bob, media);
    const unknown = await createPost(bob, 1);
    const normal = (body: object) => ({ ...body, request_id: '' });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'media-not-usable']);
    expect(normal(unknown.body)).toEqual(normal(foreign.body));
    expect(await api.db.prisma.post.count()).toBe(before);
    expect((await createPost(alice, media)).status).toBe(200);
    const again = await createPost(alice, media);
    expect([again.status, again.body.code]).toEqual([409, 'media-attached']);
    const { postsCount } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: alice } });
    expect(await api.db.prisma.post.count({ where: { authorId: alice } })).toBe(postsCount);
  });

  test('R7 of twenty posts with the same media, one succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const media = await uploadImage(api, alice);
      const responses = await Promise.all(Array.from({ length: 20 }, async () => await createPost(alice, media)));
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    }
    const { postsCount } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: alice } });
    expect(await api.db.prisma.post.count({ where: { authorId: alice } })).toBe(postsCount);
  });

  test('R7 attaching during a deletion: the post has an existing image or none', async () => {
    for (let round = 0; round < 20; round += 1) {
      const media = await uploadImage(api, alice);
      const [created, deleted] = await Promise.all([createPost(alice, media), deleteMedia(media, alice)]);
      expect([200, 403]).toContain(created.status);
      expect(deleted.status).toBe(200);
    }
    const { body } = await get(`/post?user_id=${String(alice)}&count=20`);
    const shown = body.items.filter(({ media }: { media: { image: string | null } }) => media.image !== null);
    const attached = await api.db.prisma.media.count({ where: { postId: { in: body.items.map(idOf) } } });
    expect(shown).toHaveLength(attached);
  });
});

describe('GET /media and GET /media/show', () => {
  test('D16, D34 newest first; only the owner sees unattached media', async () => {
    const carol = (await api.register('Carol_C')).id;
    const first = await uploadImage(api, carol);
    const second = await uploadImage(api, carol);
    const post = (await createPost(carol, first)).body.items.id;
    const own = (await get('/media', carol)).body;
    expect(own).toEqual({
      total: 2,
      count: 2,
      items: [
        expect.objectContaining({ id: second, item_id: 0 }),
        {
          id: first,
          item_id: post,
          ...{ alt: '', width: 30, height: 20, blurhash: expect.any(String) },
          media: { image: expect.stringMatching(/^https:\/\/linnet\.example\/media\/display\/[0-9a-f]{32}\.png$/) },
          user: expect.objectContaining({ id: carol, username: 'Carol_C' }),
        },
      ],
      prev: expect.any(String),
    });
    for (const viewer of [alice, undefined]) {
      const { body } = await get(`/media?user_id=${String(carol)}`, viewer);
      expect([body.total, body.items.map(idOf)]).toEqual([1, [first]]);
      expect((await get(`/media/show?id=${String(second)}`, viewer)).status).toBe(404);
    }
    const shown = (await get(`/media/show?id=${String(first)}`)).body;
    expect(shown).toEqual({ ...own.items[1], items: [own.items[1]] });
    expect((await get(`/media/show?id=${String(second)}`, carol)).body.item_id).toBe(0);
  });

  test('D34 a token without an account must name one; an unknown account is 404', async () => {
    const { status, body } = await get('/media');
    expect([status, body.errors[0].parameter]).toEqual([400, 'user_id']);
    expect((await get('/media?user_id=1')).status).toBe(404);
    expect((await get(`/media?user_id=${String(bob)}`)).body).toEqual({ total: 0, count: 0, items: [] });
  });

  test('D26, D28 pages, with only the latest 3000', async () => {
    const dave = (await api.register('dave_d')).id;
    await api.db.prisma.media.createMany({
      data: Array.from({ length: 3010 }, (_, index) => ({
        ownerId: dave,
        name: `${index.toString(16).padStart(32, '0')}.png`,
        bytes: 1,
        width: 1,
        height: 1,
      })),
    });
    const page = async (query: string) => {
      const { body } = await get(`/media?${query}`, dave);
      return [body.total, body.count];
    };
    expect(await page('')).toEqual([3000, 70]);
    expect(await page('count=100&page=30')).toEqual([3000, 100]);
    expect(await page('count=100&page=31')).toEqual([3000, 0]);
    expect(await page('count=70&page=43')).toEqual([3000, 60]);
  });

  test('D25 media of a protected account for others than followers: lists 403, records 404', async () => {
    const erin = (await api.register('erin_e')).id;
    const media = await uploadImage(api, erin);
    const post = (await createPost(erin, media)).body.items.id;
    await api.db.prisma.account.update({ where: { id: erin }, data: { protected: true } });
    await api.db.prisma.follow.create({ data: { followerId: bob, followedId: erin } });
    for (const viewer of [alice, undefined]) {
      const list = await get(`/media?user_id=${String(erin)}`, viewer);
      const record = await get(`/media/show?id=${String(media)}`, viewer);
      expect([list.status, list.body.code, record.status]).toEqual([403, 'protected-account', 404]);
    }
    const signedFor = (id: number) => new RegExp(String.raw`\?reader=${String(id)}&expires=\d+&signature=[\w-]{43}$`);
    for (const viewer of [erin, bob]) {
      const { body } = await get(`/media?user_id=${String(erin)}`, viewer);
      expect(body.items[0].media.image).toMatch(signedFor(viewer));
      const shown = await get(`/post/show?id=${String(post)}`, viewer);
      expect((await download(api, shown.body.items.media.image)).status).toBe(200);
      for (const address of ['image', 'thumbnail', 'download']) {
        expect(shown.body.items.attachments[0][address]).toMatch(signedFor(viewer));
      }
    }
    await api.db.prisma.account.update({ where: { id: erin }, data: { deletedAt: new Date() } });
    expect((await get(`/media?user_id=${String(erin)}`, bob)).status).toBe(404);
    expect((await get(`/media/show?id=${String(media)}`, bob)).status).toBe(404);
  });
});

describe('POST /media/delete', () => {
  test('D21 removes the record and its URLs at once; the post stays', async () => {
    const media = await uploadImage(api, alice);
    const post = (await createPost(alice, media)).body.items;
    const deletion = await deleteMedia(media, alice);
    expect([deletion.status, deletion.body.status]).toEqual([200, 'succeeded']);
    expect((await get(`/media/show?id=${String(media)}`, alice)).status).toBe(404);
    for (const address of [post.media.image, post.media.files[0].download]) {
      expect((await download(api, address)).status).toBe(404);
    }
    const shown = await get(`/post/show?id=${String(post.id)}`);
    expect(shown.body.items.media).toEqual({ image: null, files: [] });
    expect((await deleteMedia(media, alice)).status).toBe(404);
  });

  test('media of another account: 403 if it is visible, otherwise 404', async () => {
    const attached = await uploadImage(api, alice);
    await createPost(alice, attached);
    const unattached = await uploadImage(api, alice);
    const seen = await deleteMedia(attached, bob);
    expect([seen.status, seen.body.code]).toEqual([403, 'not-owner']);
    expect((await deleteMedia(unattached, bob)).status).toBe(404);
    expect((await deleteMedia(1, bob)).status).toBe(404);
    expect(await api.db.prisma.media.count({ where: { id: { in: [attached, unattached] } } })).toBe(2);
  });
});

test('D6 an account has its photo, and the generated one after the photo is deleted', async () => {
  const media = await uploadImage(api, bob);
  const { name } = await api.db.prisma.media.findUniqueOrThrow({ where: { id: media } });
  const update = async (id: number) => {
    const headers = { 'content-type': 'application/json' };
    return await api.call('POST /account/update', {
      claims: { acct: bob },
      body: JSON.stringify({ avatar: id }),
      headers,
    });
  };
  for (const id of [1, await uploadImage(api, alice)]) {
    const { status, body } = await update(id);
    expect([status, body.code]).toEqual([403, 'media-not-usable']);
  }
  expect((await update(media)).body.avatar).toBe(`https://linnet.example/media/thumb/${name}`);
  const avatar = async () => (await get(`/users/show?id=${String(bob)}`)).body.avatar;
  expect(await avatar()).toBe(`https://linnet.example/media/thumb/${name}`);
  expect((await download(api, await avatar())).status).toBe(200);
  expect((await createPost(bob)).body.items.user.avatar).toBe(await avatar());
  await deleteMedia(media, bob);
  expect(await avatar()).toMatch(/\/media\/avatars\/[0-9a-f]{16}\.png$/);
});
