import type { Readable } from 'node:stream';

import { restoreDatabase } from '@linnet/db/backup/restoration';
import type { Restoration } from '@linnet/db/backup/restoration';
import type { TableShape } from '@linnet/db/backup/snapshot';
import type { MediaStorage } from '@linnet/media/storage/media-storage';

import { readAll, readArchive } from './archive-reader.ts';
import type { ArchiveEntry } from './archive-reader.ts';
import { BackupError, toBackupError } from './backup-error.ts';
import { MediaWriter, RowWriter } from './content-writers.ts';
import { headerName, headerSchema, secretKeysName, trailerName, trailerSchema } from './format.ts';
import type { BackupHeader, BackupTrailer } from './format.ts';

/** What a backup contains. */
export interface BackupContents {
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
}

/** Reads a decrypted backup to its end and checks it, without restoring anything. @throws BackupError */
export async function verifyBackup(source: Readable): Promise<BackupContents> {
  const entries = readArchive(source);
  const header = await readHeader(entries);
  let trailer: BackupTrailer | undefined;
  for await (const entry of entries) if (entry.name === trailerName) trailer = await readTrailer(entry);
  return { header, trailer: requireTrailer(trailer) };
}

export interface RestoreOptions {
  /** A decrypted backup. */
  readonly source: Readable;
  /** URL of an empty database, not of a pooler. */
  readonly url: string;
  /** The folder `prisma/migrations`. */
  readonly migrations: string;
  readonly storage: Pick<MediaStorage, 'createDraft' | 'store'>;
  /** Called before anything is written; throws to prevent the restore. */
  readonly accept: (header: BackupHeader) => Promise<void>;
  /** Called with the file `secret-keys`, if the backup contains it. */
  readonly onSecretKeys: (text: string) => Promise<void>;
}

/**
 * Restores a backup into an empty database. The files of media are written first; the rows are committed if the whole
 * backup is as it was written, otherwise the database stays empty.
 * @throws BackupError, RestoreRefused, DatabaseUnavailable
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupContents> {
  const { source, url, migrations, accept } = options;
  const entries = readArchive(source);
  const header = await readHeader(entries);
  await accept(header);
  let trailer: BackupTrailer | undefined;
  await restoreDatabase({
    ...{ url, migrations, shape: header.database },
    load: async (restoration) => {
      trailer = await load(entries, { ...options, restoration, tables: header.database.tables });
    },
  });
  return { header, trailer: requireTrailer(trailer) };
}

async function readHeader(entries: AsyncGenerator<ArchiveEntry>): Promise<BackupHeader> {
  const first = await entries.next();
  if (first.done === true || first.value.name !== headerName) throw new BackupError('damaged', 'This is not a backup.');
  try {
    return headerSchema.parse(JSON.parse((await readAll(first.value.content)).toString()));
  } catch (error) {
    throw toBackupError('damaged', 'The backup has a format that this version does not read', error);
  }
}

async function readTrailer({ content }: ArchiveEntry): Promise<BackupTrailer> {
  return trailerSchema.parse(JSON.parse((await readAll(content)).toString()));
}

function requireTrailer(trailer: BackupTrailer | undefined): BackupTrailer {
  if (trailer === undefined) throw new BackupError('damaged', 'The backup is cut off.');
  return trailer;
}

interface Loading extends RestoreOptions {
  readonly restoration: Restoration;
  readonly tables: readonly TableShape[];
}

/** Returns when every entry has been read, and the digest of the trailer matches. */
async function load(entries: AsyncGenerator<ArchiveEntry>, options: Loading): Promise<BackupTrailer | undefined> {
  let trailer: BackupTrailer | undefined;
  await using media = new MediaWriter(options.storage);
  const rows = new RowWriter(options);
  for await (const entry of entries) {
    if (entry.name === trailerName) trailer = await readTrailer(entry);
    else if (entry.name === secretKeysName) await options.onSecretKeys((await readAll(entry.content)).toString());
    else if (entry.name.startsWith('media/')) await media.write(entry);
    else await rows.write(entry);
  }
  await rows.end();
  return trailer;
}
