import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startImageServer } from '@linnet/test/api/image-server';
import type { ImageServer } from '@linnet/test/api/image-server';
import { canary, jpegImage, otherFiles, photoWithMetadata, pngBomb, pngImage } from '@linnet/test/media/images';
import { download, sendFile, uploadImage } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const maxBytes = 10 * 1024 * 1024;
let database: TestDatabase;
let api: RunningApi;
let images: ImageServer;
let inside: ImageServer;
let alice: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  inside = await startImageServer({ 'image.png': await pngImage() });
  images = await startImageServer({
    'image.png': await pngImage({ width: 300, height: 200 }),
    'image.jpg': await jpegImage(),
    'bomb.png': pngBomb(),
    'large.png': Buffer.alloc(maxBytes + 1),
    ...(await otherFiles()),
  });
  api = await startApi(database.url, { config: { mediaFetchAllow: [images.authority] } });
  alice = (await api.register('Alice_A')).id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  for (const server of [images, inside]) await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function uploadFrom(media: string) {
  return await api.call('POST /media/upload', {
    claims: { acct: alice },
    body: JSON.stringify({ media }),
    headers: { 'content-type': 'application/json' },
  });
}

/** Every file below DATA_DIR/media. */
async function storedFiles(): Promise<readonly string[]> {
  const entries = await readdir(join(api.dataDir, 'media'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const form = (media: string) => new URLSearchParams({ media }).toString();
const part = (media: string) => {
  const data = new FormData();
  data.append('media', media);
  return data;
};

test.each<[name: string, body: (address: string) => string | FormData, type: string | undefined]>([
  ['JSON', (media) => JSON.stringify({ media }), 'application/json'],
  ['a form', form, 'application/x-www-form-urlencoded'],
  ['a text part', part, undefined],
])('D32 the address comes in %s', async (_name, body, type) => {
  const headers = type === undefined ? {} : { 'content-type': type };
  const { status, body: uploaded } = await api.call('POST /media/upload', {
    claims: { acct: alice },
    body: body(images.address('image.png')),
    headers,
  });
  expect([status, uploaded]).toEqual([
    200,
    {
      status: 'succeeded',
      finally: {
        media_id: expect.any(Number),
        media_id_string: String(uploaded.finally.media_id),
        size: expect.any(Number),
        image_type: 'image/png',
        ...{ alt: '', width: 300, height: 200, blurhash: expect.stringMatching(/^.{28}$/) },
      },
    },
  ]);
});

test('D32 accepts a file in a part named media, whatever its file name and type', async () => {
  const { status, body } = await sendFile(api, alice, await jpegImage());
  expect([status, body.finally.image_type]).toEqual([200, 'image/jpeg']);
  const record = await api.db.prisma.media.findUniqueOrThrow({ where: { id: body.finally.media_id } });
  expect(record).toMatchObject({ bytes: body.finally.size, name: expect.stringMatching(/^[0-9a-f]{32}\.jpg$/) });
});

/** How clients describe a part, as `Content-Disposition` and, if they send one, `Content-Type`. */
test.each([
  ['a file of Python’s requests', 'form-data; name="media"; filename="picture.png"', undefined],
  ['a file whose name is encoded', `form-data; name="media"; filename*=UTF-8''gr%C3%B6%C3%9Fe.png`, undefined],
  ['a file called a text', 'form-data; name="media"; filename="picture.png"', 'text/plain'],
  ['an image without a file name', 'form-data; name="media"', 'image/png'],
])('RFC 7578: %s is a file', async (_client, disposition, type) => {
  const head = `Content-Disposition: ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}`;
  const body = Buffer.concat([Buffer.from(`--edge\r\n${head}\r\n`), await pngImage(), Buffer.from('\r\n--edge--\r\n')]);
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  const { status, body: uploaded } = await api.call('POST /media/upload', { claims: { acct: alice }, body, headers });
  expect([status, uploaded.finally?.image_type]).toEqual([200, 'image/png']);
});

test('D17 size is the size of the served file; drafts are removed', async () => {
  const id = await uploadImage(api, alice, await photoWithMetadata());
  const { name, bytes, width, height } = await api.db.prisma.media.findUniqueOrThrow({ where: { id } });
  const { bytes: file } = await download(api, `/media/${name}`);
  expect([file.length, width, height]).toEqual([bytes, 20, 30]);
  expect(
    (await storedFiles()).filter((found) => !/^[0-9a-f]{32}\.(?:full|display|thumb)\.(?:png|jpg)$/.test(found)),
  ).toEqual([]);
});

test('MD7 served files contain no metadata', async () => {
  const id = await uploadImage(api, alice, await photoWithMetadata());
  const { name } = await api.db.prisma.media.findUniqueOrThrow({ where: { id } });
  for (const path of [`/media/${name}`, `/media/display/${name}`, `/media/thumb/${name}`]) {
    const { status, bytes } = await download(api, path);
    expect([status, bytes.includes(canary), (await sharp(bytes).metadata()).exif]).toEqual([200, false, undefined]);
  }
});

describe('a rejected upload leaves no files', () => {
  /** formidable reports that a file is too large, and removes what it has received a moment later. */
  async function counts() {
    return [await api.db.prisma.media.count(), (await storedFiles()).length];
  }

  test('Details 13 MD1, MD2, MD4 all unreachable URLs get the same response, and no internal host is contacted', async () => {
    const before = await counts();
    const port = inside.authority.split(':')[1] ?? '';
    const bodies = [];
    for (const address of [
      `http://127.0.0.1:${port}/image.png`,
      `http://localhost:${port}/image.png`,
      'http://127.0.0.1/image.png',
      'http://[::1]/image.png',
      'http://[::ffff:127.0.0.1]/image.png',
      'http://0x7f.1/image.png',
      'http://2130706433/image.png',
      'http://169.254.169.254/latest/meta-data',
      'http://10.0.0.1/',
      'https://user@example.org/image.png',
      'http://example.org:8080/image.png',
      'http://no-such-host.invalid/image.png',
      'ftp://example.org/image.png',
      'file:///etc/passwd',
      'image.png',
      images.address('missing.png'),
      images.address(`moved:http://127.0.0.1:${port}/image.png`),
    ]) {
      const { status, body } = await uploadFrom(address);
      expect([address, status]).toEqual([address, 400]);
      bodies.push({ ...body, request_id: '' });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ code: 'invalid-parameter', errors: [{ parameter: 'media' }] });
    expect(inside.connections()).toBe(0);
    await expect.poll(counts).toEqual(before);
  });

  test('MD5 other types, bombs and damaged files: 422 that names media', async () => {
    const before = await counts();
    for (const name of [...Object.keys(await otherFiles()), 'bomb.png']) {
      const { status, body } = await uploadFrom(images.address(name));
      expect([name, status, body.code, body.errors[0].parameter]).toEqual([name, 422, 'image-refused', 'media']);
      const known = /^(?:heic|avif|webp|gif)$/i.exec(name)?.[0] ?? '';
      expect(body.errors[0].detail.toLowerCase()).toContain(known);
    }
    for (const file of [pngBomb(), Buffer.of(), (await pngImage()).subarray(0, 50)]) {
      expect((await sendFile(api, alice, file)).status).toBe(422);
    }
    await expect.poll(counts).toEqual(before);
  });

  test('MD3 more than 10 MB: 413, by URL and as a file part', async () => {
    const before = await counts();
    const outcomes = [
      await uploadFrom(images.address('large.png')),
      await sendFile(api, alice, Buffer.alloc(maxBytes + 1)),
    ];
    expect(outcomes.map(({ status, body }) => [status, body.code])).toEqual([
      [413, 'body-too-large'],
      [413, 'body-too-large'],
    ]);
    await expect.poll(counts).toEqual(before);
  });

  test('rejects parts with another name, two files, and files for other endpoints', async () => {
    const before = await counts();
    expect((await sendFile(api, alice, { file: await pngImage(), field: 'image' })).body.errors).toMatchObject([
      { parameter: 'media' },
    ]);
    const both = part(images.address('image.png'));
    both.append('media', new Blob([new Uint8Array(await pngImage())]), 'image.png');
    const repeated = await api.call('POST /media/upload', { claims: { acct: alice }, body: both });
    expect([repeated.status, repeated.body.errors[0].code]).toEqual([400, 'repeated']);
    const elsewhere = new FormData();
    elsewhere.append('message', new Blob([new Uint8Array(await pngImage())]), 'image.png');
    const post = await api.call('POST /post/create', { claims: { acct: alice }, body: elsewhere });
    expect([post.status, post.body.errors[0].parameter]).toEqual([400, 'message']);
    await expect.poll(counts).toEqual(before);
  });

  test('no value in a JSON body passes for a file', async () => {
    const body = JSON.stringify({ media: { path: '/etc/passwd', sha256: 'x' } });
    const headers = { 'content-type': 'application/json' };
    const { status } = await api.call('POST /media/upload', { claims: { acct: alice }, body, headers });
    expect(status).toBe(400);
  });

  test('a deleted account, a token without an account, a token without the scope', async () => {
    const before = await counts();
    const file = await pngImage();
    expect((await sendFile(api, 1, file)).body.code).toBe('user-context-required');
    const body = JSON.stringify({ media: images.address('image.png') });
    const headers = { 'content-type': 'application/json' };
    expect((await api.call('POST /media/upload', { body, headers })).body.code).toBe('user-context-required');
    const claims = { acct: alice, scope: 'users posts:read' };
    expect((await api.call('POST /media/upload', { claims, body, headers })).body.code).toBe('insufficient_scope');
    await expect.poll(counts).toEqual(before);
  });
});

test('MD9 every upload gets a response, none with 5xx, while the decoding process is killed repeatedly', async () => {
  const uploads = Array.from(
    { length: 6 },
    async () => await sendFile(api, alice, await pngImage({ width: 900, height: 900 })),
  );
  const killer = setInterval(() => {
    const pid = api.app.decoderPid();
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended by itself
    }
  }, 400);
  const statuses = (await Promise.all(uploads)).map(({ status }) => status);
  clearInterval(killer);
  expect(statuses.filter((status) => status !== 200 && status !== 422 && status !== 429)).toEqual([]);
  expect((await sendFile(api, alice, await pngImage())).status).toBe(200);
});

test('MD3 limits parallel uploads of an account', async () => {
  const bob = (await api.register('Bob_B')).id;
  await using limited = await startApi(database.url, { signer: api.signer, config: { rateLimits: true } });
  const file = await pngImage({ width: 2000, height: 2000 });
  const responses = await Promise.all(Array.from({ length: 20 }, async () => await sendFile(limited, bob, file)));
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ body: { code: 'rate-limited' }, headers: { 'retry-after': '1' } });
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(20 - refused.length);
});

test('a repeated Idempotency-Key replays the first upload; another file with it is rejected', async () => {
  const file = await pngImage();
  const send = async (one: Buffer) => {
    const body = new FormData();
    body.append('media', new Blob([new Uint8Array(one)]), 'a.png');
    return await api.call('POST /media/upload', {
      claims: { acct: alice },
      body,
      headers: { 'idempotency-key': 'upload-1' },
    });
  };
  const first = await send(file);
  const again = await send(file);
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  expect((await send(await jpegImage())).status).toBe(422);
});
