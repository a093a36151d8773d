import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

import { createEmptyDatabase, createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createFileStorage } from '@linnet/media/storage/file-storage';
import { renditions } from '@linnet/media/decode/decode-job';
import type { Rendition } from '@linnet/media/decode/decode-job';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBackup } from './backup.ts';
import type { BackupSummary } from './backup.ts';
import { createBackupKey, decrypt } from './encryption.ts';
import type { BackupKey, Decryption, Encryption } from './encryption.ts';
import { restoreBackup, verifyBackup } from './restore.ts';

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const picture = `${'ab'.repeat(16)}.png`;
const content: Readonly<Record<Rendition, Buffer>> = {
  full: randomBytes(1_000_000),
  display: Buffer.from('a smaller picture'),
  thumb: Buffer.from('a thumbnail'),
};

let directory: string;
let database: TestDatabase;
let key: BackupKey;
let decryption: Decryption;
let backup: Buffer;
let summary: BackupSummary;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-backup-'));
  database = await createTestDatabase(inject('databaseServer'));
  key = await createBackupKey();
  decryption = { kind: 'identities', identities: [key.identity] };
  const accountId = await insertAccount(database.db, 'ada_lovelace');
  await database.db.prisma.post.create({
    data: { authorId: accountId, text: 'Line\nfeeds, tabs\t and \\N are kept 🪶' },
  });
  await storePicture(accountId);
  await database.db.prisma.$executeRawUnsafe(
    `SELECT create_partitions('idempotency_answer', '3 hours', now() - interval '3 days', now() - interval '2 days')`,
  );
  // A partition that no migration creates.
  await database.db.prisma.$executeRawUnsafe(`INSERT INTO idempotency_answer (scope_sha256, expires_at, answer)
    VALUES (sha256('a key'), now() - interval '60 hours', 'its response')`);
  // Migrations of a restore at a later time create partitions that the backup does not have.
  await database.db.prisma.$executeRawUnsafe(`DO $$ BEGIN
    EXECUTE 'DROP TABLE ' || (SELECT name FROM table_partition WHERE parent = 'idempotency_answer' ORDER BY ends_at DESC LIMIT 1);
  END $$`);
  [backup, summary] = await write({ kind: 'recipients', recipients: [key.recipient] });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function storePicture(accountId: number | bigint): Promise<void> {
  const storage = createFileStorage(join(directory, 'media'));
  await using draft = await storage.createDraft();
  for (const rendition of renditions) await writeFile(draft.renditions[rendition], content[rendition]);
  await storage.store(picture, draft);
  const { full } = content;
  await database.db.prisma.media.create({
    data: { name: picture, ownerId: accountId, bytes: full.length, width: 10, height: 10 },
  });
}

async function write(encryption: Encryption): Promise<[Buffer, BackupSummary]> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const written = await createBackup({
    ...{
      url: database.url,
      service: 'https://linnet.example',
      secretKeyIds: ['one'],
      encryption,
      output,
      now: new Date(),
    },
    storage: createFileStorage(join(directory, 'media')),
  });
  return [Buffer.concat(chunks), written];
}

async function restore(bytes: Buffer, target: TestDatabase, folder: string) {
  return await restoreBackup({
    ...{ source: await decrypt(Readable.from([bytes]), decryption), url: target.url, migrations },
    storage: createFileStorage(folder),
    accept: () => Promise.resolve(),
    onSecretKeys: () => Promise.resolve(),
  });
}

/** A hash over the rows of each table, with those of its partitions, and without transaction ids. */
async function contentsOf({ db }: TestDatabase): Promise<unknown> {
  const tables = await db.prisma.$queryRawUnsafe<readonly { readonly name: string }[]>(
    `SELECT relname AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables.filter((table) => table.name !== '_prisma_migrations')) {
    contents[name] = await db.prisma.$queryRawUnsafe(
      `SELECT count(*)::int AS rows, md5(string_agg(row, '|' ORDER BY row)) AS md5
         FROM (SELECT (to_jsonb(t) - 'changed_xid' - 'xid')::text AS row FROM "${name}" t) AS r`,
    );
  }
  return contents;
}

test('a restored database has the same rows, triggers and constraints, and the media are there', async () => {
  await using target = await createEmptyDatabase(inject('databaseServer'));
  const folder = join(directory, 'restored');
  const { header, trailer } = await restore(backup, target, folder);
  expect(await contentsOf(target)).toEqual(await contentsOf(database));
  expect([header.service, header.secretKeys, trailer.rows['post']]).toEqual(['https://linnet.example', ['one'], 1]);
  expect(await target.db.prisma.idempotencyAnswer.count()).toBe(1);
  expect(trailer.media).toEqual({ files: 3, bytes: 1_000_028, missing: 0 });
  expect(await readFile(join(folder, 'ab', `${'ab'.repeat(16)}.full.png`))).toEqual(content.full);

  const rules = `SELECT count(*) FILTER (WHERE tgenabled = 'O')::int AS triggers,
    (SELECT count(*)::int FROM pg_constraint WHERE contype = 'f' AND convalidated) AS keys FROM pg_trigger`;
  const [before] = await database.db.prisma.$queryRawUnsafe<readonly unknown[]>(rules);
  expect(await target.db.prisma.$queryRawUnsafe(rules)).toEqual([before]);
  await expect(restore(backup, target, folder)).rejects.toThrow('has data already');
});

test('the summary describes the file', async () => {
  expect(summary).toMatchObject({ bytes: backup.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { trailer } = await verifyBackup(await decrypt(Readable.from([backup]), decryption));
  expect(trailer.rows).toEqual(summary.rows);
});

test('a damaged or shortened backup restores nothing', async () => {
  await using target = await createEmptyDatabase(inject('databaseServer'));
  const [clear] = await write({ kind: 'none' });
  const renamed = zstdDecompressSync(clear).toString('latin1').replaceAll('ada_lovelace', 'eva_lovelace');
  const forged = zstdCompressSync(Buffer.from(renamed, 'latin1'));
  const changed = Buffer.from(backup);
  const middle = Math.floor(changed.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  for (const damaged of [changed, backup.subarray(0, -1), backup.subarray(0, middle), clear.subarray(0, -40), forged]) {
    await expect(restore(damaged, target, join(directory, 'damaged'))).rejects.toMatchObject({
      name: 'BackupError',
      reason: 'damaged',
    });
  }
  expect(await target.db.prisma.account.count()).toBe(0);
  await restore(backup, target, join(directory, 'afterwards'));
  expect(await target.db.prisma.account.count()).toBe(1);
});

test('only the right key decrypts a backup', async () => {
  const other = await createBackupKey();
  const wrong: readonly Decryption[] = [
    { kind: 'none' },
    { kind: 'identities', identities: [other.identity] },
    { kind: 'passphrase', passphrase: 'canary' },
  ];
  for (const one of wrong) {
    await expect(decrypt(Readable.from([backup]), one)).rejects.toMatchObject({ name: 'BackupError', reason: 'key' });
  }
});

test('files that are missing are counted, and the backup has everything else', async () => {
  await rm(join(directory, 'media'), { recursive: true });
  const [, { media, rows }] = await write({ kind: 'none' });
  expect([media, rows['media']]).toEqual([{ files: 0, bytes: 0, missing: 1 }, 1]);
});
