import { once } from 'node:events';
import { connect } from 'node:net';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { Secret } from '@linnet/service/config/secret';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createMediaSignatures } from '@linnet/media/media-address';
import { jpegImage, noiseImage, pngImage } from '@linnet/test/media/images';
import { download, uploadImage } from '@linnet/test/api/media-requests';
import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let alice: number;
let name: string;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  alice = (await api.register('Alice_A')).id;
  name = await upload(alice);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function upload(owner: number, file?: Buffer): Promise<string> {
  const id = await uploadImage(api, owner, file ?? (await pngImage({ width: 500, height: 300 })));
  return (await api.db.prisma.media.findUniqueOrThrow({ where: { id } })).name;
}

test('MD8 a file has its own type, runs nothing, and caches keep it for five minutes', async () => {
  for (const [path, type] of [
    [`/media/${name}`, 'image/png'],
    [`/media/display/${name}`, 'image/png'],
    [`/media/thumb/${name}`, 'image/png'],
    [`/media/${await upload(alice, await jpegImage())}`, 'image/jpeg'],
  ] as const) {
    const { status, headers, bytes } = await download(api, path);
    expect([status, Number(headers['content-length'])]).toEqual([200, bytes.length]);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=300, must-revalidate',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[\w.-]+"$/),
    });
  }
});

test('MD8 the URL has 128 random bits and no id', async () => {
  const { id, name: own } = await api.db.prisma.media.findUniqueOrThrow({ where: { name } });
  expect(own).toMatch(/^[0-9a-f]{32}\.png$/);
  expect(BigInt(`0x${own.slice(0, 32)}`).toString()).not.toContain(String(id));
  expect(await upload(alice)).not.toBe(own);
});

test.each([
  '/media/',
  '/media/..%2f..%2fsecret-keys',
  '/media/../secret-keys',
  '/media/display/..%2fsecret-keys',
  '/media/drafts/',
  `/media/full/${'0'.repeat(32)}.png`,
  `/media/${'0'.repeat(32)}.png`,
  `/media/${'0'.repeat(32)}.svg`,
  `/media/${'0'.repeat(32)}.png%00.html`,
  `/media/${'0'.repeat(31)}Z.png`,
])('MD8 %s: 404', async (path) => {
  const { status, headers } = await download(api, path);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    404,
    'application/problem+json',
    'no-store',
  ]);
});

test('MD8 another file extension in the URL is 404', async () => {
  expect((await download(api, `/media/${name.replace('.png', '.jpg')}`)).status).toBe(404);
  expect((await download(api, `/media/${name.toUpperCase()}`)).status).toBe(404);
});

test('supports HEAD and rejects methods other than GET', async () => {
  const { bytes } = await download(api, `/media/${name}`);
  const head = await download(api, `/media/${name}`, { method: 'HEAD' });
  expect([head.status, Number(head.headers['content-length']), head.bytes.length]).toEqual([200, bytes.length, 0]);
  const post = await download(api, `/media/${name}`, { method: 'DELETE' });
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('serves byte ranges of a file', async () => {
  const { bytes, headers } = await download(api, `/media/${name}`);
  const size = bytes.length;
  const part = await download(api, `/media/${name}`, { range: 'bytes=10-19' });
  expect([part.status, part.headers['content-range'], part.headers['content-length']]).toEqual([
    206,
    `bytes 10-19/${String(size)}`,
    '10',
  ]);
  expect(part.bytes).toEqual(bytes.subarray(10, 20));
  expect((await download(api, `/media/${name}`, { range: 'bytes=-5' })).bytes).toEqual(bytes.subarray(size - 5));
  const beyond = await download(api, `/media/${name}`, { range: `bytes=${String(size)}-` });
  expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${String(size)}`]);
  const several = await download(api, `/media/${name}`, { range: 'bytes=0-1,3-4' });
  expect([several.status, several.bytes.length]).toEqual([200, size]);
  const same = await download(api, `/media/${name}`, { range: 'bytes=0-0', 'if-range': headers.etag ?? '' });
  const other = await download(api, `/media/${name}`, { range: 'bytes=0-0', 'if-range': '"other"' });
  expect([same.status, other.status]).toEqual([206, 200]);
});

test('revalidates with an ETag for each rendition', async () => {
  const { headers } = await download(api, `/media/${name}`);
  const again = await download(api, `/media/${name}`, { 'if-none-match': headers.etag ?? '' });
  expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  expect(again.headers['cache-control']).toBe('public, max-age=300, must-revalidate');
  expect((await download(api, `/media/display/${name}`, { 'if-none-match': headers.etag ?? '' })).status).toBe(200);
});

test('one statement per request, none for other paths', async () => {
  api.statements.length = 0;
  await download(api, `/media/${name}`);
  expect(api.statements).toHaveLength(1);
  await download(api, '/media/index.html');
  expect(api.statements).toHaveLength(1);
});

test.each([
  ['deleted', 'Bob_B', { deletedAt: new Date() }],
  ['suspended', 'Sue_B', { suspendedAt: new Date() }],
  ['protected', 'Bill_B', { protected: true }],
] as const)('a %s account has no files, and a cache that asks again learns it', async (_state, username, data) => {
  const bob = (await api.register(username)).id;
  const own = await upload(bob);
  const { headers } = await download(api, `/media/${own}`);
  await api.db.prisma.account.update({ where: { id: bob }, data });
  expect((await download(api, `/media/${own}`)).status).toBe(404);
  expect((await download(api, `/media/${own}`, { 'if-none-match': headers.etag ?? '' })).status).toBe(404);
});

describe('media of a protected account (decisions, Details 13)', () => {
  let carol: number;
  let own: string;
  const key = new Secret('a key of the tests, long enough');
  const seconds = () => Math.floor(Date.now() / 1000);
  const sign = (file: string) => createMediaSignatures([key]).sign(file, carol);

  beforeAll(async () => {
    carol = (await api.register('Carol_C')).id;
    own = await upload(carol);
  });

  test('D96 plain URLs stop working when the account becomes protected, and work again when it is open', async () => {
    for (const isProtected of [true, false, true]) {
      await api.db.prisma.account.update({ where: { id: carol }, data: { protected: isProtected } });
      for (const folder of ['', 'display/', 'thumb/']) {
        expect((await download(api, `/media/${folder}${own}`)).status).toBe(isProtected ? 404 : 200);
      }
    }
  });

  test('a signed URL works for all renditions, and only private caches keep it, for five minutes', async () => {
    const query = sign(own);
    for (const folder of ['', 'display/', 'thumb/']) {
      const { status, headers } = await download(api, `/media/${folder}${own}${query}`);
      expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=300, must-revalidate']);
    }
    // It ends 30 to 60 minutes after it was signed, and so do copies.
    const late = createMediaSignatures([key], () => seconds() - 1795);
    const { headers } = await download(api, `/media/${own}${late.sign(own, carol)}`);
    const [, age = ''] = /max-age=(\d+),/.exec(headers['cache-control'] ?? '') ?? [];
    expect([Number(age) > 0, Number(age) <= 300]).toEqual([true, true]);
  });

  test('D96 a signed URL stops working when its reader may no longer see the media, and only then', async () => {
    const named = async (prefix: string) => await registerPerson(api, `${prefix}_Carols`);
    const owner = await named('owner');
    const id = await uploadImage(api, owner.id);
    await owner.post('/post/create', { message: 'a picture', attachments: [id] });
    await setProtected(api, owner, true);
    const suspend = async ({ id: accountId }: Person) =>
      await api.db.prisma.account.update({ where: { id: accountId }, data: { suspendedAt: new Date() } });
    const losses: Readonly<Record<string, (reader: Person) => Promise<unknown>>> = {
      removed: async (reader) => await owner.post('/followers/delete', { id: reader.id }),
      leaving: async (reader) => await reader.unfollows(owner),
      blocked: async (reader) => await owner.post('/blocks/add', { id: reader.id }),
      blocking: async (reader) => await reader.post('/blocks/add', { id: owner.id }),
      suspended: suspend,
      // Its owner, so that the last reader loses the right, too.
      faithful: async () => await suspend(owner),
    };
    const given = new Map<string, { readonly reader: Person; readonly address: string }>();
    for (const loss of Object.keys(losses)) {
      const reader = await named(loss);
      await reader.follows(owner);
      await owner.approves(reader);
      const { body } = await reader.get(`/media/show?id=${String(id)}`);
      given.set(loss, { reader, address: body.media.image });
    }
    const serve = async () =>
      await Promise.all([...given].map(async ([one, { address }]) => [one, (await download(api, address)).status]));
    const expected = new Map([...given.keys()].map((one) => [one, 200]));
    expect(await serve()).toEqual([...expected]);
    for (const [loss, { reader }] of given) {
      await losses[loss]?.(reader);
      expected.set(loss, 404);
      expect(await serve()).toEqual([...expected]);
    }
  });

  test.each<[name: string, query: () => string]>([
    ['an hour ago', () => createMediaSignatures([key], () => seconds() - 3601).sign(own, carol)],
    ['with another key', () => createMediaSignatures([new Secret('another key that is long enough')]).sign(own, carol)],
    ['for another reader', () => sign(own).replace(String(carol), String(alice))],
    ['for a reader who may not see it', () => createMediaSignatures([key]).sign(own, alice)],
    ['for another name', () => sign(name)],
    ['with a later end', () => sign(own).replace(/expires=\d/, 'expires=9')],
    ['with an empty signature', () => `?reader=${String(carol)}&expires=9999999999&signature=`],
    ['with half a signature', () => sign(own).slice(0, -5)],
  ])('a URL signed %s is not found', async (_name, query) => {
    expect((await download(api, `/media/${own}${query()}`)).status).toBe(404);
  });

  test('with rotated keys the first signs and all verify', () => {
    const older = sign(own);
    const both = createMediaSignatures([new Secret('another key that is long enough'), key]);
    expect(both.verify(own, new URLSearchParams(older))).toMatchObject({ reader: carol });
    expect(both.sign(own, carol)).not.toBe(older);
  });

  test('its photo stays public in the size of account objects', async () => {
    await api.db.prisma.account.update({ where: { id: carol }, data: { avatar: own } });
    const responses = ['thumb/', 'display/', ''].map(async (folder) => await download(api, `/media/${folder}${own}`));
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses).toEqual([200, 404, 404]);
  });
});

test('a client that leaves during a download is no error', async () => {
  const large = await upload(alice, await noiseImage({ width: 1500, height: 1500 }));
  const lines = api.log.length;
  const socket = connect(api.port, '127.0.0.1');
  socket.write(`GET /media/${large} HTTP/1.1\r\nHost: linnet.example\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  // The line of the request is the last that its response causes.
  await expect.poll(() => api.log.slice(lines).filter((line) => line.includes('"msg":"request"')).length).toBe(1);
  expect(api.log.slice(lines).filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
