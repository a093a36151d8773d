import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { Secret } from '@linnet/service/config/secret';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { renditions } from '../../decode/decode-job.ts';
import { startFaultProxy } from '@linnet/test/media/fault-proxy';
import type { Fault, FaultProxy } from '@linnet/test/media/fault-proxy';
import { startObjectStore } from '@linnet/test/media/object-store';
import type { ObjectStore } from '@linnet/test/media/object-store';
import { StorageFailed, StorageUnavailable } from '../media-storage.ts';
import type { MediaStorage } from '../media-storage.ts';
import { createBucketClient } from './bucket-client.ts';
import type { BucketClient } from './bucket-client.ts';
import { createBucketStorage } from './bucket-storage.ts';

let objects: ObjectStore;
let proxy: FaultProxy;
let directory: string;
let client: BucketClient;
let storage: MediaStorage;

beforeAll(async () => {
  objects = await startObjectStore();
  proxy = await startFaultProxy(objects.settings.endpoint);
  directory = await mkdtemp(join(tmpdir(), 'linnet-faults-'));
  // The time limits are for `silence`; everything else has to be noticed without them.
  const patience = { totalMs: 20_000, attemptMs: 10_000, pauseMs: 5 };
  client = createBucketClient({ ...objects.settings, endpoint: proxy.origin }, { patience });
  storage = createBucketStorage(client, { directory, presigns: false });
});
beforeEach(() => {
  proxy.choose = () => undefined;
  proxy.requests.length = 0;
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await objects[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Large enough to be sent in several parts. */
const content = randomBytes(200_000);

async function store(): Promise<string> {
  const name = `${randomBytes(16).toString('hex')}.png`;
  await using draft = await storage.createDraft();
  for (const rendition of renditions) await writeFile(draft.renditions[rendition], content);
  await storage.store(name, draft);
  return name;
}

async function read(name: string): Promise<Buffer | undefined> {
  await using file = await storage.open(name, 'full');
  return file && (await buffer(await file.read(0, file.bytes - 1)));
}

/** Faults that pass, and those after which a repetition is pointless. */
const passing: readonly Fault[] = [
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown' },
  'cut request',
  'lost response',
];
const lasting: readonly Fault[] = [
  { status: 403, code: 'AccessDenied' },
  { status: 403, code: 'InvalidAccessKeyId' },
  { status: 400, code: 'ExpiredToken' },
  { status: 301, code: 'PermanentRedirect' },
];
const titled = (faults: readonly Fault[]) =>
  faults.map((fault) => [typeof fault === 'string' ? fault : `${String(fault.status)} ${fault.code}`, fault] as const);

/** Lets the first `times` requests with a method fail. */
function fail(method: string, fault: Fault, times: number): void {
  let count = 0;
  proxy.choose = (request) => {
    if (request.method !== method || count >= times) return undefined;
    count += 1;
    return fault;
  };
}

describe.each(titled(passing))('%s', (_title, fault) => {
  test('twice: an upload, a read and a removal succeed, and nothing is stored twice', async () => {
    fail('PUT', fault, 2);
    const name = await store();
    expect(await objects.keys()).toHaveLength(3);
    fail('GET', fault, 2);
    expect(await read(name)).toEqual(content);
    fail('HEAD', fault, 2);
    expect(await read(name)).toEqual(content);
    fail('DELETE', fault, 1);
    await storage.remove(name);
    expect(await objects.keys()).toEqual([]);
  });

  test('always: an upload fails after three attempts for each file, and leaves nothing', async () => {
    fail('PUT', fault, Infinity);
    await expect(store()).rejects.toThrow(StorageUnavailable);
    expect(proxy.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(9);
    expect(await objects.keys()).toEqual([]);
  });

  test('always: a read fails', async () => {
    const name = await store();
    fail('GET', fault, Infinity);
    await expect(read(name)).rejects.toThrow(StorageUnavailable);
    proxy.choose = () => undefined;
    expect(await read(name)).toEqual(content);
    await storage.remove(name);
  });
});

test.each(titled(lasting))('%s: no request is repeated, and nothing is stored', async (_title, fault) => {
  fail('PUT', fault, Infinity);
  await expect(store()).rejects.toThrow(StorageUnavailable);
  expect(proxy.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(3);
  expect(await objects.keys()).toEqual([]);
});

// The response to HEAD has no body and so no code.
test('400 RequestTimeout: an upload is repeated', async () => {
  fail('PUT', { status: 400, code: 'RequestTimeout' }, 2);
  await storage.remove(await store());
  expect(proxy.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(5);
});

test('a full object store: StorageFailed, and nothing is stored', async () => {
  fail('PUT', { status: 507, code: 'XMinioStorageFull' }, 1);
  await expect(store()).rejects.toThrow(StorageFailed);
  expect(await objects.keys()).toEqual([]);
});

test('a body that is cut off twice is continued where it ended; at the third time the read fails', async () => {
  const name = await store();
  fail('GET', 'cut response', 2);
  expect(await read(name)).toEqual(content);
  fail('GET', 'cut response', 3);
  await expect(read(name)).rejects.toThrow(StorageUnavailable);
  await storage.remove(name);
});

test('an object store that does not respond: a request fails within its time limit', async () => {
  const patience = { totalMs: 60, attemptMs: 20, pauseMs: 1 };
  await using impatient = createBucketClient({ ...objects.settings, endpoint: proxy.origin }, { patience });
  proxy.choose = () => 'silence';
  await expect(impatient.send({ operation: 'get', key: 'x' })).rejects.toThrow(StorageUnavailable);
  expect(proxy.requests.length).toBeLessThanOrEqual(3);
});

test('an object store that does not run: StorageUnavailable', async () => {
  await using nowhere = createBucketClient({ ...objects.settings, endpoint: 'http://127.0.0.1:1' });
  await expect(nowhere.send({ operation: 'get', key: 'x' })).rejects.toThrow('ECONNREFUSED');
});

test('wrong keys: StorageUnavailable, and no key in the message', async () => {
  const settings = { ...objects.settings, secretAccessKey: new Secret('another secret') };
  await using wrong = createBucketClient(settings);
  const failure = await wrong.send({ operation: 'get', key: 'x' }).catch(String);
  expect(failure).toContain('403 (SignatureDoesNotMatch)');
  expect(failure).not.toContain('another secret');
});
