import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';

import { extract as createExtract } from 'tar-stream';

import { BackupError, toBackupError } from './backup-error.ts';
import { describeEntry, trailerName, trailerSchema } from './format.ts';

/** An entry of a backup. Read its content before the next one. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Reads the entries of a decrypted backup, in their order. The trailer comes last, and only if everything before it is what
 * was written.
 * @throws BackupError if the backup is damaged or cut off
 */
export async function* readArchive(source: Readable): AsyncGenerator<ArchiveEntry> {
  const extract = createExtract();
  const reading = pipeline(source, createZstdDecompress(), extract);
  reading.catch(() => undefined); // the loop fails with the same error
  const hash = createHash('sha256');
  let entries = 0;
  let isComplete = false;
  try {
    for await (const entry of extract) {
      const { name, size } = entry.header;
      const bytes = entry as AsyncIterable<Buffer>; // its types leave out what the chunks are
      isComplete = name === trailerName;
      if (isComplete) {
        const content = await readAll(bytes);
        requireSame(content, { entries, sha256: hash.digest('hex') });
        yield { name, content: listOf(content) };
        continue;
      }
      hash.update(describeEntry(name, size));
      entries += 1;
      const content = hashed(bytes, hash);
      yield { name, content };
      // What was not read must count all the same.
      for await (const _chunk of content);
    }
    await reading;
  } catch (error) {
    throw toBackupError('damaged', 'The backup is damaged or cut off', error);
  }
  if (!isComplete) throw new BackupError('damaged', 'The backup is cut off.');
}

async function* hashed(entry: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* listOf(content: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(content);
}

/** Reads small content into memory. */
export async function readAll(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function requireSame(content: Buffer, found: { readonly entries: number; readonly sha256: string }): void {
  const { entries, sha256 } = trailerSchema.parse(JSON.parse(content.toString()));
  if (entries !== found.entries || sha256 !== found.sha256) throw new BackupError('damaged', 'The backup is damaged.');
}
