import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { renditions } from '../decode/decode-job.ts';
import { createBucketClient } from '../storage/bucket/bucket-client.ts';
import type { BucketClient } from '../storage/bucket/bucket-client.ts';
import { createBucketStorage } from '../storage/bucket/bucket-storage.ts';
import { createFileStorage } from '../storage/file-storage.ts';
import { StorageUnavailable } from '../storage/media-storage.ts';
import type { MediaStorage } from '../storage/media-storage.ts';
import { combineStorages } from '../storage/stored-files.ts';
import { startFaultProxy } from '@linnet/test/media/fault-proxy';
import type { FaultProxy } from '@linnet/test/media/fault-proxy';
import { startObjectStore } from '@linnet/test/media/object-store';
import type { ObjectStore } from '@linnet/test/media/object-store';
import { moveMedia } from './media-move.ts';

let database: TestDatabase;
let objects: ObjectStore;
let proxy: FaultProxy;
let client: BucketClient;
let owner: number;
let directory: string;
let disk: MediaStorage;
let bucket: MediaStorage;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  owner = await insertAccount(database.db, 'ada_lovelace');
  objects = await startObjectStore();
  proxy = await startFaultProxy(objects.settings.endpoint);
  client = createBucketClient({ ...objects.settings, endpoint: proxy.origin }, { patience: { pauseMs: 1 } });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await objects[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-move-'));
  // Tests need not look into 256 folders.
  disk = { ...createFileStorage(directory), prefixes: ['aa', 'bb'] };
  bucket = { ...createBucketStorage(client, { directory, presigns: false }), prefixes: ['aa', 'bb'] };
  proxy.choose = () => undefined;
});
afterEach(async () => {
  await database.db.prisma.media.deleteMany();
  await database.db.prisma.removedMediaFile.deleteMany();
  for (const key of await objects.keys()) await client.send({ operation: 'delete', key });
  await rm(directory, { recursive: true });
});

async function store(storage: MediaStorage, prefix: 'aa' | 'bb'): Promise<string> {
  const name = `${prefix}${randomBytes(15).toString('hex')}.jpg`;
  await using draft = await storage.createDraft();
  for (const rendition of renditions) await writeFile(draft.renditions[rendition], `${rendition} of ${name}`);
  await storage.store(name, draft);
  await database.db.prisma.media.create({ data: { name, ownerId: owner, bytes: 1, width: 1, height: 1 } });
  return name;
}

async function read(storage: MediaStorage, name: string): Promise<string | undefined> {
  await using file = await storage.open(name, 'full');
  return file && String(await buffer(await file.read(0, file.bytes - 1)));
}

async function filesOnDisk(): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const move = async (source: MediaStorage, target: MediaStorage, isDryRun = false) =>
  await moveMedia({ db: database.db, source, target, isDryRun, onProgress: () => undefined });

test('a dry run counts and moves nothing; a move leaves no file behind; the way back restores all', async () => {
  const names = [await store(disk, 'aa'), await store(disk, 'aa'), await store(disk, 'bb')];
  expect(await move(disk, bucket, true)).toMatchObject({ found: 3, moved: 0 });
  expect([(await filesOnDisk()).length, await objects.keys()]).toEqual([9, []]);
  expect(await move(disk, bucket)).toMatchObject({ found: 3, moved: 3, unrecorded: 0, damaged: 0 });
  expect([await filesOnDisk(), (await objects.keys()).length]).toEqual([[], 9]);
  expect(await move(bucket, disk)).toMatchObject({ moved: 3 });
  expect([(await filesOnDisk()).length, await objects.keys()]).toEqual([9, []]);
  for (const name of names) expect(await read(disk, name)).toBe(`full of ${name}`);
});

test('files without a record stay, and those in the quarantine that have a record are moved', async () => {
  const [unknown, quarantined] = [await store(disk, 'aa'), await store(disk, 'bb')];
  await database.db.prisma.media.delete({ where: { name: unknown } });
  await disk.quarantine.add(quarantined, 0);
  expect(await move(disk, bucket)).toMatchObject({ moved: 1, unrecorded: 1 });
  expect([(await filesOnDisk()).length, await read(bucket, quarantined)]).toEqual([3, `full of ${quarantined}`]);
});

test('when the object store fails in between, no file is lost, and the next run continues', async () => {
  const names = [await store(disk, 'aa'), await store(disk, 'aa'), await store(disk, 'bb'), await store(disk, 'bb')];
  let puts = 0;
  proxy.choose = ({ method }) => {
    if (method === 'PUT') puts += 1;
    return method === 'PUT' && puts > 4 ? { status: 503, code: 'SlowDown' } : undefined;
  };
  const both = combineStorages(bucket, disk);
  await expect(move(disk, bucket)).rejects.toThrow(StorageUnavailable);
  for (const name of names) expect(await read(both, name)).toBe(`full of ${name}`);
  proxy.choose = () => undefined;
  await move(disk, bucket);
  expect([await filesOnDisk(), (await objects.keys()).length]).toEqual([[], 12]);
  for (const name of names) expect(await read(bucket, name)).toBe(`full of ${name}`);
});

test('a copy that differs from the original does not replace it', async () => {
  const name = await store(disk, 'aa');
  const changing: MediaStorage = {
    ...bucket,
    store: async (stored, draft) => {
      await writeFile(draft.renditions.display, 'something else');
      await bucket.store(stored, draft);
    },
  };
  expect(await move(disk, changing)).toMatchObject({ moved: 0, damaged: 1 });
  expect(await filesOnDisk()).toHaveLength(3);
  expect(await read(disk, name)).toBe(`full of ${name}`);
});

test('files whose record is deleted while they are moved are in neither place afterwards', async () => {
  const name = await store(disk, 'aa');
  const deleting: MediaStorage = {
    ...bucket,
    store: async (stored, draft) => {
      // The service deletes the record and removes its files, before the copies exist.
      await database.db.prisma.media.delete({ where: { name } });
      await combineStorages(bucket, disk).remove(name);
      await bucket.store(stored, draft);
    },
  };
  await move(disk, deleting);
  expect([await filesOnDisk(), await objects.keys()]).toEqual([[], []]);
});

test('two moves at the same time lose nothing', async () => {
  const names = [await store(disk, 'aa'), await store(disk, 'aa'), await store(disk, 'bb')];
  await Promise.all([move(disk, bucket), move(disk, bucket)]);
  await move(disk, bucket);
  for (const name of names) expect(await read(bucket, name)).toBe(`full of ${name}`);
  expect(await filesOnDisk()).toEqual([]);
});

test('a service that uses both places serves and removes files wherever they are', async () => {
  const [older, newer] = [await store(disk, 'aa'), await store(bucket, 'bb')];
  const both = combineStorages(bucket, disk);
  expect([await read(both, older), await read(both, newer)]).toEqual([`full of ${older}`, `full of ${newer}`]);
  for (const name of [older, newer]) await both.remove(name);
  expect([await filesOnDisk(), await objects.keys()]).toEqual([[], []]);
});
