import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { removeFiles, sweepOrphans } from '@linnet/media/media-sweep';
import { openStorages } from '@linnet/media/storage/open-storage';
import type { OpenedStorages } from '@linnet/media/storage/open-storage';
import { startFaultProxy } from '@linnet/test/media/fault-proxy';
import type { FaultProxy } from '@linnet/test/media/fault-proxy';
import { pngImage } from '@linnet/test/media/images';
import { startObjectStore } from '@linnet/test/media/object-store';
import type { ObjectStore } from '@linnet/test/media/object-store';
import type { MediaSettings } from '@linnet/service/config/variables';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';

import { download, sendFile, uploadImage } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** Everything that media meets, with files in a bucket: fetched by the service, and with redirects to the object store. */

let database: TestDatabase;
let objects: ObjectStore;
let proxy: FaultProxy;
const apis = new Map<'proxied' | 'presigned', RunningApi>();
let pictures: { readonly address: string; readonly close: () => void };

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  objects = await startObjectStore();
  proxy = await startFaultProxy(objects.settings.endpoint);
  pictures = await servePicture();
  const proxied = await start(toSettings('proxied'));
  apis.set('proxied', proxied).set('presigned', await start(toSettings('presigned'), proxied));
});
afterAll(async () => {
  pictures.close();
  for (const api of apis.values()) await api[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await objects[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
afterEach(() => {
  proxy.choose = () => undefined;
});

async function servePicture() {
  const picture = await pngImage();
  const server = createServer((_request, response) => response.setHeader('content-type', 'image/png').end(picture));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { address: `127.0.0.1:${String(port)}`, close: () => void server.close() };
}

const toSettings = (reads: 'proxied' | 'presigned', url?: string): MediaSettings => ({
  store: 's3',
  bucket: { ...objects.settings, endpoint: proxy.origin, reads },
  url,
});

/** Servers share the database, the bucket and, if `other` is given, the signer of tokens; each has a disk of its own. */
async function start(media: MediaSettings, other?: RunningApi): Promise<RunningApi> {
  const config = { media, mediaFetchAllow: [pictures.address] };
  return await startApi(database.url, { config, ...(other === undefined ? {} : { signer: other.signer }) });
}

function running(reads: 'proxied' | 'presigned'): RunningApi {
  const api = apis.get(reads);
  if (api === undefined) throw new Error('not started');
  return api;
}

async function post(api: RunningApi, path: string, { acct, ...body }: Readonly<Record<string, unknown>>) {
  const headers = { 'content-type': 'application/json' };
  return await api.call(`POST ${path}`, { claims: { acct }, body: JSON.stringify(body), headers });
}

/** Downloads the bytes, from the object store if the service redirects there. */
async function fetchBytes(api: RunningApi, path: string): Promise<Buffer> {
  const { status, headers, bytes } = await download(api, path);
  if (status !== 302) return bytes;
  return Buffer.from(await (await fetch(String(headers.location))).arrayBuffer());
}

describe.each(['proxied', 'presigned'] as const)('S3_READS=%s', (reads) => {
  let api: RunningApi;
  let storages: OpenedStorages;
  let alice: number;
  const isPresigned = reads === 'presigned';

  beforeAll(async () => {
    const media = toSettings(reads);
    api = running(reads);
    storages = openStorages({ dataDir: api.dataDir, media });
    alice = (await api.register(`Alice_${reads}`)).id;
  });
  afterAll(async () => {
    await api.db.prisma.media.deleteMany();
    await remove();
    await storages[Symbol.asyncDispose]();
  });

  const nameOf = async (id: number) => (await api.db.prisma.media.findUniqueOrThrow({ where: { id } })).name;
  const remove = async () => await removeFiles(api.db, storages.storage);

  test('an uploaded file is in the bucket and not on the disk, and its deletion removes it', async () => {
    const id = await uploadImage(api, alice, await pngImage({ width: 500, height: 300 }));
    const name = await nameOf(id);
    const stem = `${name.slice(0, 2)}/${name.slice(0, 32)}`;
    expect(await objects.keys()).toEqual(['display', 'full', 'thumb'].map((one) => `${stem}.${one}.png`));
    expect(await readdir(join(api.dataDir, 'media'), { recursive: true })).toEqual(['drafts']);
    const { status } = await post(api, '/media/delete', { acct: alice, id });
    await remove();
    expect([status, await objects.keys()]).toEqual([200, []]);
    expect((await download(api, `/media/${name}`)).status).toBe(404);
  });

  test('a file that the service fetches by its address is in the bucket', async () => {
    const media = `http://${pictures.address}/picture.png`;
    const { status, body } = await post(api, '/media/upload', { acct: alice, media });
    expect([status, (await objects.keys()).length]).toEqual([200, 3]);
    expect(
      (await fetchBytes(api, `/media/${await nameOf(Number(body.finally.media_id))}`)).subarray(1, 4).toString(),
    ).toBe('PNG');
    await api.db.prisma.media.deleteMany();
    await remove();
  });

  test('thumbnails are sent by the service, with ranges and an ETag', async () => {
    const path = `/media/thumb/${await nameOf(await uploadImage(api, alice))}`;
    const whole = await download(api, path);
    const { etag = '', 'content-type': type, 'content-length': length } = whole.headers;
    expect([whole.status, type, Number(length)]).toEqual([200, 'image/png', whole.bytes.length]);
    expect((await download(api, path, { range: 'bytes=4-9' })).bytes).toEqual(whole.bytes.subarray(4, 10));
    expect((await download(api, path, { range: 'bytes=99999999-' })).status).toBe(416);
    expect((await download(api, path, { 'if-none-match': etag })).status).toBe(304);
    const head = await download(api, path, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, length, 0]);
  });

  test('a large image is sent or redirected, with its type and length; HEAD is never redirected', async () => {
    const name = await nameOf(await uploadImage(api, alice, await pngImage({ width: 2000, height: 900 })));
    for (const path of [`/media/${name}`, `/media/display/${name}`]) {
      const head = await download(api, path, { method: 'HEAD' });
      expect([head.status, head.headers['content-type']]).toEqual([200, 'image/png']);
      expect(await fetchBytes(api, path)).toHaveLength(Number(head.headers['content-length']));
    }
    const { status, headers } = await download(api, `/media/${name}`);
    const cacheControl = isPresigned ? 'private, max-age=30' : 'public, max-age=300, must-revalidate';
    expect([status, headers['cache-control']]).toEqual([isPresigned ? 302 : 200, cacheControl]);
  });

  test('files of a protected account need a signed URL, and their redirects are not cached', async () => {
    const bob = (await api.register(`Bob_${reads}`)).id;
    const id = await uploadImage(api, bob);
    const name = await nameOf(id);
    await api.db.prisma.account.update({ where: { id: bob }, data: { protected: true } });
    const before = proxy.requests.length;
    expect((await download(api, `/media/${name}`)).status).toBe(404);
    // The permission is checked before the bucket is asked.
    expect(proxy.requests).toHaveLength(before);
    const shown = await api.call(`GET /media/show?id=${String(id)}`, { claims: { acct: bob } });
    const signed = String(shown.body.media.image);
    const { status, headers } = await download(api, signed);
    expect([status, headers['cache-control']?.replace(/\d+/, 'N')]).toEqual(
      isPresigned ? [302, 'no-store'] : [200, 'private, max-age=N, must-revalidate'],
    );
    const address = new URL(headers.location ?? 'about:blank');
    expect(address.searchParams.get('X-Amz-Expires')).toBe(isPresigned ? '60' : null);
    await api.db.prisma.account.update({ where: { id: bob }, data: { deletedAt: new Date() } });
    expect((await download(api, signed)).status).toBe(404);
  });
});

test('the sweep quarantines files without a record in the bucket, where they are still found, and removes them later', async () => {
  const api = running('proxied');
  await using storages = openStorages({ dataDir: api.dataDir, media: toSettings('proxied') });
  const { storage } = storages;
  await api.db.prisma.media.deleteMany();
  await removeFiles(api.db, storage);
  const id = await uploadImage(api, (await api.register('Gina_G')).id);
  const record = await api.db.prisma.media.findUniqueOrThrow({ where: { id } });
  await api.db.prisma.media.delete({ where: { id } });
  await api.db.prisma.removedMediaFile.deleteMany();
  const prefix = record.name.slice(0, 2);
  const sweep = async (ages: { readonly file: number; readonly quarantine: number }) =>
    await sweepOrphans({
      ...{ db: api.db, storage: { ...storage, prefixes: [prefix] }, stopping: new AbortController().signal },
      ages: { pass: 0, ...ages },
    });
  const countKeys = async (folder: string) => (await objects.keys()).filter((key) => key.startsWith(folder)).length;
  await sweep({ file: 3_600_000, quarantine: 3_600_000 });
  expect(await countKeys('quarantine/')).toBe(0);
  await sweep({ file: 0, quarantine: 3_600_000 });
  expect([await countKeys('quarantine/'), await countKeys(`${prefix}/`)]).toEqual([3, 0]);
  await api.db.prisma.media.create({ data: record });
  expect((await download(api, `/media/${record.name}`)).status).toBe(200);
  await sweep({ file: 0, quarantine: 0 });
  expect([await countKeys('quarantine/'), await countKeys(`${prefix}/`)]).toEqual([0, 3]);
  await api.db.prisma.media.delete({ where: { id } });
  await api.db.prisma.removedMediaFile.deleteMany();
  for (let pass = 0; pass < 2; pass += 1) await sweep({ file: 0, quarantine: 0 });
  expect(await objects.keys()).toEqual(['sweep-position']);
  await storages.bucket?.client.send({ operation: 'delete', key: 'sweep-position' });
});

test('two hosts with their own disks share a bucket: each serves and removes what the other stored', async () => {
  const [one, other] = [running('proxied'), running('presigned')];
  const carol = (await one.register('Carol_C')).id;
  const id = await uploadImage(one, carol);
  const { name } = await one.db.prisma.media.findUniqueOrThrow({ where: { id } });
  expect(await fetchBytes(other, `/media/${name}`)).toEqual(await fetchBytes(one, `/media/${name}`));
  expect((await post(other, '/media/delete', { acct: carol, id })).status).toBe(200);
  await using storages = openStorages({ dataDir: other.dataDir, media: toSettings('proxied') });
  await removeFiles(other.db, storages.storage);
  expect(await objects.keys()).toEqual([]);
});

test('public media have the address of MEDIA_URL, and a CDN gets bytes; signed addresses stay with the service', async () => {
  await using api = await start(toSettings('presigned', 'https://cdn.example'), running('presigned'));
  const dora = (await api.register('Dora_D')).id;
  const id = await uploadImage(running('presigned'), dora);
  const show = async () => await api.call(`GET /media/show?id=${String(id)}`, { claims: { acct: dora } });
  const { media, user } = (await show()).body;
  expect([new URL(media.image).origin, new URL(user.avatar).origin]).toEqual([
    'https://cdn.example',
    'https://cdn.example',
  ]);
  expect((await download(api, media.image)).status).toBe(200);
  const { headers } = await api.get('/@Dora_D', { host: 'linnet.example' });
  expect(headers['content-security-policy']).toContain(`img-src 'self' https://cdn.example ${proxy.origin};`);
  await api.db.prisma.account.update({ where: { id: dora }, data: { protected: true } });
  const signed = (await show()).body.media.image;
  expect([new URL(signed).origin, (await download(api, signed)).status]).toEqual(['https://linnet.example', 302]);
  await api.db.prisma.media.deleteMany();
});

test('while the object store fails: 503 with Retry-After, no record and no object; afterwards everything works', async () => {
  const api = running('proxied');
  const erin = (await api.register('Erin_E')).id;
  const { name } = await api.db.prisma.media.findUniqueOrThrow({ where: { id: await uploadImage(api, erin) } });
  const before = [await api.db.prisma.media.count(), await objects.keys()];
  proxy.choose = ({ method }) => (method === 'DELETE' ? undefined : { status: 503, code: 'SlowDown' });
  const upload = await sendFile(api, erin, await pngImage());
  expect([upload.status, upload.body.code, upload.headers['retry-after']]).toEqual([503, 'unavailable', '5']);
  for (const path of [`/media/${name}`, `/media/thumb/${name}`]) {
    const { status, headers } = await download(api, path);
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '5', 'no-store']);
  }
  expect(await api.app.readiness()).toContainEqual({ name: 'media', ok: false, isOptional: true, reason: 'bucket' });
  proxy.choose = () => undefined;
  expect([await api.db.prisma.media.count(), await objects.keys()]).toEqual(before);
  expect((await download(api, `/media/${name}`)).status).toBe(200);
  expect(api.log.filter((line) => line.includes('media store unavailable')).length).toBeGreaterThan(0);
  expect(api.log.join('')).not.toContain('X-Amz');
});

test('while the object store fails, the files of deleted records stay listed, and are removed afterwards', async () => {
  const api = running('proxied');
  await using storages = openStorages({ dataDir: api.dataDir, media: toSettings('proxied') });
  await uploadImage(api, (await api.register('Finn_F')).id);
  await api.db.prisma.media.deleteMany();
  proxy.choose = () => ({ status: 500, code: 'InternalError' });
  await expect(removeFiles(api.db, storages.storage)).rejects.toThrow('500 (InternalError)');
  expect(await api.db.prisma.removedMediaFile.count()).toBeGreaterThan(0);
  proxy.choose = () => undefined;
  await removeFiles(api.db, storages.storage);
  expect([await objects.keys(), await api.db.prisma.removedMediaFile.count()]).toEqual([[], 0]);
});
