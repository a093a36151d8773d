import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';

import { openSnapshot } from '@linnet/db/backup/snapshot';
import type { Snapshot } from '@linnet/db/backup/snapshot';
import type { MediaStorage } from '@linnet/media/storage/media-storage';
import { fileDeletionJobs } from '@linnet/media/media-sweep-store';

import { createArchiveWriter } from './archive-writer.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { writeMedia, writeTables } from './contents.ts';
import { encrypt } from './encryption.ts';
import type { Encryption } from './encryption.ts';
import { headerName, secretKeysName, trailerName } from './format.ts';
import type { BackupHeader, BackupTrailer } from './format.ts';

export interface BackupOptions {
  /** URL of the database, not of a pooler. */
  readonly url: string;
  readonly storage: Pick<MediaStorage, 'open'>;
  /** BASE_URL. */
  readonly service: string;
  readonly secretKeyIds: readonly string[];
  /** Content for the file `secret-keys`, if the backup should contain it. */
  readonly secretKeys?: string;
  readonly encryption: Encryption;
  readonly output: Writable;
  readonly now: Date;
}

export interface BackupSummary extends Omit<BackupTrailer, 'sha256' | 'entries'> {
  readonly created: string;
  readonly secretKeys: readonly string[];
  /** Of what was written to `output`. */
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a backup to `output`: the database as it is at this moment, and the files of its media. The service can run
 * at the same time; only the jobs that delete files of media wait.
 * @throws DatabaseUnavailable, BackupError
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { url, secretKeyIds: secretKeys, encryption, output, now } = options;
  await using snapshot = await openSnapshot({ url, pausedJobs: Object.values(fileDeletionJobs) });
  const archive = createArchiveWriter(now);
  const written = { bytes: 0, hash: createHash('sha256') };
  const compressed = createZstdCompress();
  const encrypted = await encrypt(compressed, encryption);
  async function* measured(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      written.bytes += chunk.length;
      written.hash.update(chunk);
      yield chunk;
    }
  }
  const writing = writeEntries(archive, snapshot, options).catch((error: unknown) => {
    archive.abort(error);
    throw error;
  });
  const [{ rows, media }] = await Promise.all([
    writing,
    pipeline(archive.bytes, compressed),
    pipeline(encrypted, measured, output),
  ]);
  const { bytes, hash } = written;
  return { created: now.toISOString(), secretKeys, rows, media, bytes, sha256: hash.digest('hex') };
}

async function writeEntries(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  { service, secretKeyIds, secretKeys, storage, now }: BackupOptions,
): Promise<BackupTrailer> {
  const header: BackupHeader = {
    ...{ format: 'linnet-backup', version: 1, created: now.toISOString(), service },
    secretKeys: [...secretKeyIds],
    containsSecretKeys: secretKeys !== undefined,
    database: toHeader(snapshot),
  };
  await archive.add(headerName, toJson(header));
  if (secretKeys !== undefined) await archive.add(secretKeysName, Buffer.from(secretKeys));
  const media = await writeMedia(archive, snapshot, storage);
  const rows = await writeTables(archive, snapshot);
  const trailer = { ...archive.digest(), rows, media };
  await archive.add(trailerName, toJson(trailer));
  archive.finish();
  return trailer;
}

function toHeader({ shape }: Snapshot): BackupHeader['database'] {
  const { version, migrations, tables, sequences, partitions } = shape;
  return {
    version,
    migrations: [...migrations],
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    sequences: [...sequences],
    partitions: [...partitions],
  };
}

function toJson(document: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`);
}
