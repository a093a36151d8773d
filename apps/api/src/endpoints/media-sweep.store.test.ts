import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { createDueCheck } from '@linnet/db/statement/run-exclusively';
import { startJobs } from '@linnet/service/jobs/jobs';
import { createLogger } from '@linnet/service/log/logger';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { noiseImage, pngImage } from '@linnet/test/media/images';
import { download, sendFile, uploadImage } from '@linnet/test/api/media-requests';
import { fillFile, mountMemory } from '@linnet/test/db/small-disk';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { createMediaJobs, removeFiles, sweepOrphans, sweepUnattached } from '@linnet/media/media-sweep';
import { createFileStorage } from '@linnet/media/storage/file-storage';
import { StorageFailed } from '@linnet/media/storage/media-storage';
import type { MediaStorage } from '@linnet/media/storage/media-storage';

/** R2: no record without files, no files without a record. */

let database: TestDatabase;
let api: RunningApi;
let storage: MediaStorage;
let alice: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  storage = createFileStorage(join(api.dataDir, 'media'));
  alice = (await api.register('Alice_A')).id;
});
beforeEach(async () => {
  await api.db.prisma.account.updateMany({ data: { avatar: null } });
  await api.db.prisma.media.deleteMany();
  await removeFiles(api.db, storage);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== 'sweep-position').map(({ name }) => name);
}

/** Names of records that lack a file, and of files that lack a record. */
async function violations(): Promise<readonly string[]> {
  const records = await api.db.prisma.media.findMany({ select: { name: true } });
  const expected = records.flatMap(({ name }) => {
    const [stem = '', type = ''] = name.split('.');
    return ['full', 'display', 'thumb'].map((rendition) => `${stem}.${rendition}.${type}`);
  });
  const found = await filesBelow(join(api.dataDir, 'media'));
  return [...new Set([...expected, ...found])].filter((name) => !expected.includes(name) || !found.includes(name));
}

const sweep = async (ages: { readonly file?: number; readonly quarantine?: number; readonly pass?: number } = {}) =>
  await sweepOrphans({
    db: api.db,
    storage,
    stopping: new AbortController().signal,
    ages: { file: 0, quarantine: 0, pass: 0, ...ages },
  });

async function own(id: number) {
  return await api.db.prisma.media.findUniqueOrThrow({ where: { id } });
}

test('R2 after uploads and deletions, of media and of posts, files and records agree', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, async () => await uploadImage(api, alice)));
  expect(await violations()).toEqual([]);
  const [first = 0, second = 0] = ids;
  await api.db.query({ name: 'delete', text: 'DELETE FROM media WHERE id = $1' }, [first]);
  const post = await api.call(`GET /post/create?message=x&media=${String(second)}`, { claims: { acct: alice } });
  await api.db.prisma.post.delete({ where: { id: post.body.items.id } });
  expect(await violations()).toHaveLength(6);
  await removeFiles(api.db, storage);
  expect(await violations()).toEqual([]);
  expect(await api.db.prisma.removedMediaFile.count()).toBe(0);
});

test('R2 a rolled-back deletion keeps the files', async () => {
  const id = await uploadImage(api, alice);
  const failing = api.db.transaction(async (tx) => {
    await tx.query({ name: 'delete', text: 'DELETE FROM media WHERE id = $1' }, [id]);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await removeFiles(api.db, storage);
  expect(await violations()).toEqual([]);
});

test('R2 when the record cannot be written, no files remain and the next upload works', async () => {
  const refuse = 'ALTER TABLE media ADD CONSTRAINT no_more CHECK (bytes < 0) NOT VALID';
  await api.db.query({ name: 'refuse', text: refuse }, []);
  const { status } = await sendFile(api, alice, await pngImage());
  await api.db.query({ name: 'admit', text: 'ALTER TABLE media DROP CONSTRAINT no_more' }, []);
  expect(status).toBe(500); // the service has no such rule, so this is an internal error
  expect(await violations()).toEqual([]);
  await uploadImage(api, alice);
  expect(await violations()).toEqual([]);
});

/** Deletes a record, but not its files. Returns its name. */
async function forget(id: number): Promise<string> {
  const { name } = await own(id);
  await api.db.prisma.media.delete({ where: { id } });
  await api.db.prisma.removedMediaFile.deleteMany();
  return name;
}

const hour = 3_600_000;
const quarantined = async () => await filesBelow(join(api.dataDir, 'media', 'quarantine'));

test('R2 after a crash between files and record, the sweeps remove the files, but no recent ones', async () => {
  const name = await forget(await uploadImage(api, alice));
  const kept = await uploadImage(api, alice);
  await sweep({ file: hour });
  expect(await violations()).toHaveLength(3);
  await sweep();
  expect(await violations()).toEqual([]);
  expect((await download(api, `/media/${name}`)).status).toBe(404);
  expect((await download(api, `/media/${(await own(kept)).name}`)).status).toBe(200);
});

describe('files that the database does not know, as after the restore of an older backup,', () => {
  test('stay in the quarantine, and are released and served when it knows them again', async () => {
    const id = await uploadImage(api, alice);
    const record = await own(id);
    const name = await forget(id);
    for (let pass = 0; pass < 2; pass += 1) await sweep({ quarantine: hour });
    expect(await quarantined()).toHaveLength(3);
    await api.db.prisma.media.create({ data: record });
    expect((await download(api, `/media/${name}`)).status).toBe(200);
    await sweep({ quarantine: hour });
    expect(await quarantined()).toEqual([]);
    expect((await download(api, `/media/${name}`)).status).toBe(200);
    expect(await violations()).toEqual([]);
  });

  test('are removed with a record that is deleted', async () => {
    const id = await uploadImage(api, alice);
    const record = await own(id);
    await forget(id);
    await sweep({ quarantine: hour });
    await api.db.prisma.media.create({ data: record });
    await api.db.prisma.media.delete({ where: { id } });
    await removeFiles(api.db, storage);
    expect(await quarantined()).toEqual([]);
  });
});

test('a pass over all files continues where a process stopped, and the next one starts after its interval', async () => {
  for (const prefix of ['00', '7f', 'ff']) {
    const folder = join(api.dataDir, 'media', prefix);
    await mkdir(folder, { recursive: true });
    for (const rendition of ['full', 'display', 'thumb']) {
      await writeFile(join(folder, `${prefix}${'0'.repeat(30)}.${rendition}.png`), 'x');
    }
  }
  await storage.position.write({ startedAt: Date.now(), next: 0x7f });
  const ages = { file: 0, quarantine: hour, pass: hour };
  // A process that stops finishes the batch that it is in.
  await sweepOrphans({ db: api.db, storage, stopping: AbortSignal.abort(), ages });
  expect(await quarantined()).toHaveLength(3);
  await sweep(ages);
  expect(await quarantined()).toHaveLength(6);
  await sweep(ages);
  expect(await quarantined()).toHaveLength(6);
  await sweep({ ...ages, pass: 0 });
  expect(await quarantined()).toHaveLength(9);
  await sweep();
  expect(await violations()).toEqual([]);
});

test('R2 when one file cannot be stored, none is', async () => {
  const draft = await storage.createDraft();
  for (const path of [draft.renditions.full, draft.renditions.display]) await writeFile(path, 'x');
  const name = `${'a'.repeat(32)}.png`;
  await expect(storage.store(name, draft)).rejects.toThrow(StorageFailed);
  await draft[Symbol.asyncDispose]();
  expect(await violations()).toEqual([]);
});

test('removes the files of interrupted uploads', async () => {
  const drafts = join(api.dataDir, 'media', 'drafts');
  await mkdir(join(drafts, 'draft-old'), { recursive: true });
  for (const file of ['draft-old/source', 'received']) await writeFile(join(drafts, file), 'x');
  await sweep({ file: hour });
  expect(await filesBelow(drafts)).toHaveLength(2);
  await sweep();
  expect(await filesBelow(drafts)).toEqual([]);
});

describe('unattached media', () => {
  async function age(id: number, hours: number) {
    const createdAt = new Date(Date.now() - hours * 3_600_000);
    await api.db.prisma.media.update({ where: { id }, data: { createdAt } });
  }

  test('is removed after a day; attached media and photos stay', async () => {
    const ids = [];
    for (let index = 0; index < 4; index += 1) ids.push(await uploadImage(api, alice));
    const [old = 0, young = 0, attached = 0, photo = 0] = ids;
    for (const id of [old, attached, photo]) await age(id, 25);
    await age(young, 23);
    await api.call(`GET /post/create?message=x&media=${String(attached)}`, { claims: { acct: alice } });
    await api.db.prisma.account.update({ where: { id: alice }, data: { avatar: (await own(photo)).name } });
    await sweepUnattached(api.db);
    await removeFiles(api.db, storage);
    const left = await api.db.prisma.media.findMany({ select: { id: true } });
    expect(new Set(left.map(({ id }) => Number(id)))).toEqual(new Set([young, attached, photo]));
    expect(await violations()).toEqual([]);
  });

  test('R7 attaching during a sweep: a created post has its image', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await uploadImage(api, alice);
      await age(id, 25);
      const [created] = await Promise.all([
        api.call(`GET /post/create?message=x&media=${String(id)}`, { claims: { acct: alice } }),
        sweepUnattached(api.db),
      ]);
      expect([200, 403]).toContain(created.status);
      const isThere = (await api.db.prisma.media.count({ where: { id } })) === 1;
      expect(isThere).toBe(created.status === 200);
    }
  });
});

test('the jobs run all sweeps', async () => {
  const id = await uploadImage(api, alice);
  await api.db.prisma.media.delete({ where: { id } });
  const jobs = createMediaJobs(api.db, storage).map((job) => ({ ...job, everyMs: 20 }));
  await using _running = startJobs(jobs, {
    logger: createLogger({ level: 'silent', pretty: false }),
    findDue: (queued) => createDueCheck(api.db, queued),
    isSpare: false,
  });
  await expect.poll(violations).toEqual([]);
});

test('R11 with a full disk: 507, files stay readable, and uploads work again when there is space', async () => {
  const { name } = await own(await uploadImage(api, alice));
  const drafts = join(api.dataDir, 'media', 'drafts');
  await rm(drafts, { recursive: true });
  await writeFile(drafts, 'in the way');
  const address = await api.call('POST /media/upload', {
    claims: { acct: alice },
    body: JSON.stringify({ media: 'http://example.invalid/a.png' }),
    headers: { 'content-type': 'application/json' },
  });
  expect([address.status, address.body.code]).toEqual([507, 'storage-full']);
  expect((await sendFile(api, alice, await pngImage())).status).toBe(507);
  expect((await download(api, `/media/${name}`)).status).toBe(200);
  await rm(drafts);
  await uploadImage(api, alice);
  expect(await violations()).toEqual([]);
});

test('R11 with a full volume of 6 MB: 507, no drafts remain, and deletions free space', async ({ skip }) => {
  const volume = await mkdtemp(join(tmpdir(), 'linnet-small-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', volume]);
  if (mounted.status !== 0) skip('mounting a volume takes more rights');
  try {
    await using small = await startApi(database.url, { config: { dataDir: volume }, signer: api.signer });
    const noise = await noiseImage({ width: 700, height: 700 });
    const statuses: number[] = [];
    while (!statuses.includes(507) && statuses.length < 20) statuses.push((await sendFile(small, alice, noise)).status);
    expect(new Set(statuses)).toEqual(new Set([200, 507]));
    expect((await sendFile(small, alice, noise)).status).toBe(507);
    const files = await filesBelow(join(volume, 'media'));
    expect(files.filter((name) => !/^[0-9a-f]{32}\.[a-z]+\.png$/.test(name))).toEqual([]);
    const [record] = await api.db.prisma.media.findMany({ take: 1 });
    expect((await download(small, `/media/${record?.name ?? ''}`)).status).toBe(200);
    await api.db.prisma.media.deleteMany();
    await removeFiles(api.db, createFileStorage(join(volume, 'media')));
    expect((await sendFile(small, alice, noise)).status).toBe(200);
  } finally {
    spawnSync('umount', [volume]);
    await rm(volume, { recursive: true });
  }
});

test('R11 with a full volume, small pictures get 507 too, readiness names the cause, and the log has one line', async ({
  skip,
}) => {
  const volume = await mkdtemp(join(tmpdir(), 'linnet-full-'));
  await using memory = await mountMemory(volume, 20);
  if (memory === undefined) skip('mounting a volume takes more rights');
  await using full = await startApi(database.url, { config: { dataDir: volume }, signer: api.signer });
  await sendFile(full, alice, await pngImage()); // makes the folders
  await fillFile(join(volume, 'filler'));
  const statuses: number[] = [];
  for (const image of [await pngImage(), await noiseImage({ width: 40, height: 40 })]) {
    for (let round = 0; round < 10; round += 1) statuses.push((await sendFile(full, alice, image)).status);
  }
  expect(new Set(statuses)).toEqual(new Set([507]));
  expect(full.log.filter((line) => line.includes('"outage":"media-disk"'))).toHaveLength(1);
  const health = (await full.get('/health/ready')).body;
  expect(health).toMatchObject({ status: 'degraded', checks: { media: false }, reasons: { media: 'disk-full' } });
});

test('only the service can read stored files', async () => {
  const { name } = await own(await uploadImage(api, alice));
  const stored = join(api.dataDir, 'media', name.slice(0, 2), name.replace('.', '.full.'));
  expect((await readFile(stored)).subarray(1, 4).toString()).toBe('PNG');
});
