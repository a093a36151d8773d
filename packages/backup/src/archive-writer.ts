import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { pack as createPack } from 'tar-stream';

import { describeEntry } from './format.ts';

/** Writes the entries of an archive, one after the other. */
export interface ArchiveWriter {
  /** The bytes of the tar archive. */
  readonly bytes: AsyncIterable<Buffer>;
  add(name: string, content: Buffer): Promise<void>;
  /** Like `add`, for content that is read while it is written. @throws Error if it does not have `size` bytes */
  addStream(name: string, size: number, content: Readable): Promise<void>;
  /** Number of entries, and the SHA-256 of all of them. */
  digest(): { readonly entries: number; readonly sha256: string };
  finish(): void;
  /** Makes reading `bytes` fail. */
  abort(error: unknown): void;
}

export function createArchiveWriter(now: Date): ArchiveWriter {
  const pack = createPack();
  const hash = createHash('sha256');
  let entries = 0;

  async function* hashed(content: AsyncIterable<Buffer>) {
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
  }

  const addStream: ArchiveWriter['addStream'] = async (name, size, content) => {
    hash.update(describeEntry(name, size));
    entries += 1;
    const entry = pack.entry({ name, size, mode: 0o600, mtime: now });
    await pipeline(hashed(content), entry);
  };
  return {
    bytes: pack as AsyncIterable<Buffer>, // its types leave out what the chunks are
    add: async (name, content) => await addStream(name, content.length, Readable.from([content])),
    addStream,
    digest: () => ({ entries, sha256: hash.copy().digest('hex') }),
    finish: () => pack.finalize(),
    abort: (error) => pack.destroy(error instanceof Error ? error : new Error(String(error))),
  };
}
