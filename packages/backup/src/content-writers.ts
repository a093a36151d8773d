import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

import type { Restoration } from '@linnet/db/backup/restoration';
import type { TableShape } from '@linnet/db/backup/snapshot';
import { renditions } from '@linnet/media/decode/decode-job';
import type { Draft, MediaStorage } from '@linnet/media/storage/media-storage';

import type { ArchiveEntry } from './archive-reader.ts';
import { BackupError, toBackupError } from './backup-error.ts';
import { parseMediaPath } from './contents.ts';

type Storage = Pick<MediaStorage, 'createDraft' | 'store'>;

interface RowTarget {
  readonly restoration: Restoration;
  readonly tables: readonly TableShape[];
}

/** Stores a name when its renditions have been read, which follow each other. */
export class MediaWriter implements AsyncDisposable {
  readonly #storage: Storage;
  #draft: Draft | undefined;
  #count = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async write({ name: path, content }: ArchiveEntry): Promise<void> {
    const file = parseMediaPath(path);
    if (file === undefined) throw new BackupError('damaged', `The backup has an unknown entry: ${path}.`);
    this.#draft ??= await this.#storage.createDraft();
    const target = createWriteStream(this.#draft.renditions[file.rendition], { mode: 0o600, flush: true });
    await writeContent(content, target);
    this.#count += 1;
    if (this.#count % renditions.length !== 0) return;
    await this.#storage.store(file.name, this.#draft);
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#draft?.[Symbol.asyncDispose]();
    this.#draft = undefined;
  }
}

async function writeContent(content: AsyncIterable<Buffer>, target: Writable, options?: { end: false }): Promise<void> {
  await pipeline(damagedIfUnreadable(content), target, options ?? {});
}

/** Errors of the archive are the backup's; those of the target stay as they are. */
async function* damagedIfUnreadable(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    throw toBackupError('damaged', 'The backup is damaged or cut off', error);
  }
}

/** Parts of a table follow each other and go into one COPY. */
export class RowWriter {
  readonly #options: RowTarget;
  #current: { readonly table: string; readonly stream: Writable } | undefined;

  constructor(options: RowTarget) {
    this.#options = options;
  }

  async write({ name: path, content }: ArchiveEntry): Promise<void> {
    const [, tableName] = /^database\/(\w+)\/\d+$/.exec(path) ?? [];
    const table = this.#options.tables.find(({ name }) => name === tableName);
    if (table === undefined) throw new BackupError('damaged', `The backup has an unknown entry: ${path}.`);
    if (this.#current?.table !== table.name) {
      await this.end();
      this.#current = { table: table.name, stream: this.#options.restoration.writeRows(table) };
    }
    const { stream } = this.#current;
    await writeContent(content, stream, { end: false });
  }

  async end(): Promise<void> {
    const stream = this.#current?.stream;
    this.#current = undefined;
    if (stream === undefined) return;
    stream.end();
    await finished(stream);
  }
}
