import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Db } from '@linnet/db/database';

import { renditions } from '../decode/decode-job.ts';
import type { Rendition } from '../decode/decode-job.ts';
import { findRecordedNames } from '../media-sweep-store.ts';
import type { Draft, MediaStorage } from '../storage/media-storage.ts';

interface Move {
  readonly db: Db;
  readonly source: MediaStorage;
  readonly target: MediaStorage;
}

type Hashes = ReadonlyMap<Rendition, { readonly sha256: string; readonly bytes: number }>;

/** Moves the files of one name. Returns their bytes; undefined if they are not complete or changed on the way. */
export async function moveFiles({ db, source, target }: Move, name: string): Promise<number | undefined> {
  await using draft = await target.createDraft();
  const copied = await copyAll(source, name, draft);
  // Another move may have been faster: then the target has them.
  const expected = copied ?? (await hashAll(target, name));
  if (expected === undefined) return undefined;
  if (copied !== undefined) await target.store(name, draft);
  const stored = await hashAll(target, name);
  const isSame = renditions.every((one) => stored?.get(one)?.sha256 === expected.get(one)?.sha256);
  if (!isSame) return undefined;
  // The record may have been deleted in the meantime, and with it the files, before the copies existed.
  if (!(await findRecordedNames(db, [name])).has(name)) await target.remove(name);
  await source.remove(name);
  return [...expected.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

async function copyAll(source: MediaStorage, name: string, draft: Draft): Promise<Hashes | undefined> {
  return await readAll(source, name, async (rendition, content) => {
    await pipeline(content, createWriteStream(draft.renditions[rendition], { mode: 0o600, flush: true }));
  });
}

async function hashAll(storage: MediaStorage, name: string): Promise<Hashes | undefined> {
  return await readAll(storage, name, async (_rendition, content) => {
    for await (const _chunk of content);
  });
}

/** Reads all renditions of a name; undefined if one is missing. */
async function readAll(
  storage: MediaStorage,
  name: string,
  use: (rendition: Rendition, content: Readable) => Promise<void>,
): Promise<Hashes | undefined> {
  const hashes = new Map<Rendition, { readonly sha256: string; readonly bytes: number }>();
  for (const rendition of renditions) {
    await using file = await storage.open(name, rendition);
    if (file === undefined) return undefined;
    const hash = createHash('sha256');
    const content = await file.read(0, file.bytes - 1);
    const chunks = content as AsyncIterable<Buffer>; // no encoding is set
    async function* hashed() {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await use(rendition, Readable.from(hashed(), { objectMode: false }));
    hashes.set(rendition, { sha256: hash.digest('hex'), bytes: file.bytes });
  }
  return hashes;
}
