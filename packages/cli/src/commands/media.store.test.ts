// `linnet media move` and the check of the bucket by `linnet doctor`, as an operator runs them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { renditions } from '@linnet/media/decode/decode-job';
import { createFileStorage } from '@linnet/media/storage/file-storage';
import { startObjectStore } from '@linnet/test/media/object-store';
import type { ObjectStore } from '@linnet/test/media/object-store';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';

import { readConfig } from '../config.ts';
import { checkMediaStore } from '../doctor/optional-checks.ts';
import { run } from '@linnet/test/cli/run';

const cleanup = new AsyncDisposableStack();
const picture = `${'ab'.repeat(16)}.png`;
let objects: ObjectStore;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  objects = cleanup.use(await startObjectStore());
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-media-'));
  cleanup.defer(async () => await rm(dataDir, { recursive: true }));
  const disk = createFileStorage(join(dataDir, 'media'));
  await using draft = await disk.createDraft();
  for (const rendition of renditions) await writeFile(draft.renditions[rendition], rendition);
  await disk.store(picture, draft);
  const ownerId = await insertAccount(database.db, 'ada_lovelace');
  await database.db.prisma.media.create({ data: { name: picture, ownerId, bytes: 1, width: 1, height: 1 } });
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DATA_DIR', dataDir);
});
beforeEach(() => {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = objects.settings;
  vi.stubEnv('S3_ENDPOINT', endpoint);
  vi.stubEnv('S3_BUCKET', bucket);
  vi.stubEnv('S3_PREFIX', 'pictures');
  vi.stubEnv('S3_ACCESS_KEY_ID', accessKeyId.reveal());
  vi.stubEnv('S3_SECRET_ACCESS_KEY', secretAccessKey.reveal());
  vi.stubEnv('MEDIA_STORE', 's3');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

async function move(...args: readonly string[]) {
  const { status, stdout } = await run('media', 'move', ...args, '--json');
  const document: unknown = JSON.parse(stdout);
  return { status, document };
}

test.each([
  ['while new files still go to the disk', { MEDIA_STORE: 'file' }, 's3', 'configuration'],
  ['to the disk while new files go to the bucket', {}, 'disk', 'configuration'],
  ['without a bucket', { MEDIA_STORE: 'file', S3_ENDPOINT: '', S3_BUCKET: '' }, 'disk', 'configuration'],
  ['to an object store that does not run', { S3_ENDPOINT: 'http://127.0.0.1:1' }, 's3', 'media-store'],
  ['with wrong keys', { S3_SECRET_ACCESS_KEY: 'another secret' }, 's3', 'media-store'],
] as const)('%s it is refused, and nothing is moved', async (_title, env, to, code) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(await move('--to', to)).toMatchObject({ status: 1, document: { error: { code } } });
  expect(await objects.keys()).toEqual([]);
});

test('doctor tries the bucket, and says what to check when it does not work', async () => {
  expect(await checkMediaStore(readConfig())).toMatchObject({ name: 'media-store', ok: true });
  expect(await objects.keys()).toEqual([]);
  vi.stubEnv('S3_SECRET_ACCESS_KEY', 'another secret');
  expect(await checkMediaStore(readConfig())).toMatchObject({
    ok: false,
    detail: 'The bucket cannot be used: the object store responded 403 (SignatureDoesNotMatch)',
    remedy: expect.stringContaining('S3_REGION'),
  });
  vi.stubEnv('S3_ENDPOINT', '');
  vi.stubEnv('S3_BUCKET', '');
  vi.stubEnv('MEDIA_STORE', 'file');
  expect(await checkMediaStore(readConfig())).toMatchObject({
    ok: true,
    detail: expect.stringContaining('is writable'),
  });
});

test('a dry run counts, a move moves, and the second run finds nothing', async () => {
  const counts = { found: 1, unrecorded: 0, damaged: 0 };
  expect((await move('--to', 's3', '--dry-run')).document).toEqual({
    ...{ to: 's3', dryRun: true, ...counts, moved: 0, bytes: 0 },
  });
  expect(await objects.keys()).toEqual([]);
  const moved = { ...counts, moved: 1, bytes: 16, dryRun: false };
  expect(await move('--to', 's3')).toEqual({ status: 0, document: { to: 's3', ...moved } });
  expect(await objects.keys()).toHaveLength(3);
  expect((await move('--to', 's3')).document).toMatchObject({ found: 0, moved: 0 });
});
