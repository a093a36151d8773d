import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { createEmptyDatabase, createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { renditions } from '@linnet/media/decode/decode-job';
import { openStorages } from '@linnet/media/storage/open-storage';
import { startFaultProxy } from '@linnet/test/media/fault-proxy';
import { startObjectStore } from '@linnet/test/media/object-store';
import { expect, inject, test } from 'vitest';

import { createBackup } from './backup.ts';
import { restoreBackup, verifyBackup } from './restore.ts';

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const picture = `${'ab'.repeat(16)}.png`;

test('a backup contains the files of a bucket, although connections are cut off, and a restore fills another one', async () => {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'linnet-bucket-backup-'));
  cleanup.defer(async () => await rm(directory, { recursive: true }));
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const objects = cleanup.use(await startObjectStore());
  const proxy = cleanup.use(await startFaultProxy(objects.settings.endpoint));
  const open = (prefix: string) => {
    const bucket = { ...objects.settings, endpoint: proxy.origin, prefix };
    return cleanup.use(openStorages({ dataDir: directory, media: { store: 's3', bucket, url: undefined } })).storage;
  };
  const [storage, other] = [open('pictures/'), open('restored/')];
  const ownerId = await insertAccount(database.db, 'ada_lovelace');
  await using draft = await storage.createDraft();
  for (const rendition of renditions) await writeFile(draft.renditions[rendition], Buffer.alloc(90_000, rendition));
  await storage.store(picture, draft);
  await database.db.prisma.media.create({ data: { name: picture, ownerId, bytes: 1, width: 1, height: 1 } });

  let reads = 0;
  proxy.choose = ({ method }) => {
    if (method === 'GET') reads += 1;
    return method === 'GET' && reads === 1 ? 'cut response' : undefined;
  };
  const output = new PassThrough();
  const [summary, backup] = await Promise.all([
    createBackup({
      ...{ url: database.url, service: 'https://linnet.example', secretKeyIds: [], now: new Date() },
      ...{ encryption: { kind: 'none' }, output, storage },
    }),
    buffer(output),
  ]);
  expect(summary.media).toEqual({ files: 3, bytes: 270_000, missing: 0 });
  expect((await verifyBackup(Readable.from([backup]))).trailer.media.files).toBe(3);

  const target = cleanup.use(await createEmptyDatabase(inject('databaseServer')));
  await restoreBackup({
    ...{ source: Readable.from([backup]), url: target.url, migrations, storage: other },
    ...{ accept: () => Promise.resolve(), onSecretKeys: () => Promise.resolve() },
  });
  for (const rendition of renditions) {
    await using file = await other.open(picture, rendition);
    expect(file && (await buffer(await file.read(0, file.bytes - 1)))).toEqual(Buffer.alloc(90_000, rendition));
  }
});
