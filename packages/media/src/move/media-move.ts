import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';

import type { Db } from '@linnet/db/database';

import { renditions } from '../decode/decode-job.ts';
import type { Rendition } from '../decode/decode-job.ts';
import { findRecordedNames } from '../media-sweep-store.ts';
import type { Draft, MediaStorage } from '../storage/media-storage.ts';

/** Numbers of names; a name has three files. */
export interface MoveCounts {
  /** Found with a record. */
  found: number;
  moved: number;
  bytes: number;
  /** Without a record: uploads in progress, and what the sweep removes later. They stay. */
  unrecorded: number;
  /** Some of their files were missing, or changed on the way. They stay. */
  damaged: number;
}

interface MoveOptions {
  readonly db: Db;
  readonly source: MediaStorage;
  readonly target: MediaStorage;
  /** Only counts. */
  readonly isDryRun: boolean;
  /** Called after each batch, with the share of the names that was looked at. */
  readonly onProgress: (counts: Readonly<MoveCounts>, share: number) => void;
}

/** Moves of names that run at the same time. */
const movesAtOnce = 4;

/**
 * Moves the files of every record from one storage to the other. They are compared with their SHA-256 before they are removed
 * from the source. The service can run at the same time if it finds files in both. An interrupted move is continued by the next.
 * @throws StorageFailed, StorageUnavailable, DatabaseUnavailable
 */
export async function moveMedia(options: MoveOptions): Promise<Readonly<MoveCounts>> {
  const { source, onProgress } = options;
  const counts: MoveCounts = { found: 0, moved: 0, bytes: 0, unrecorded: 0, damaged: 0 };
  for (const [index, prefix] of source.prefixes.entries()) {
    const names = await collect(source, prefix);
    for (let at = 0; at < names.length; at += batch) {
      await moveBatch(options, names.slice(at, at + batch), counts);
    }
    onProgress(counts, (index + 1) / source.prefixes.length);
  }
  return counts;
}

const batch = 500;

/** The names of one of 256 parts; a million images have about 4000 of them. */
async function collect(source: MediaStorage, prefix: string): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const list of [source.list(prefix), source.quarantine.list(prefix)]) {
    for await (const some of list) for (const name of some) names.add(name);
  }
  return [...names];
}

async function moveBatch(options: MoveOptions, names: readonly string[], counts: MoveCounts): Promise<void> {
  const recorded = await findRecordedNames(options.db, names);
  counts.unrecorded += names.length - recorded.size;
  counts.found += recorded.size;
  if (options.isDryRun) return;
  const waiting = [...recorded];
  const moveNext = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const bytes = await moveFiles(options, name);
      if (bytes === undefined) counts.damaged += 1;
      else [counts.moved, counts.bytes] = [counts.moved + 1, counts.bytes + bytes];
    }
  };
  await Promise.all(Array.from({ length: movesAtOnce }, moveNext));
}

interface Move {
  readonly db: Db;
  readonly source: MediaStorage;
  readonly target: MediaStorage;
}

type Hashes = ReadonlyMap<Rendition, { readonly sha256: string; readonly bytes: number }>;

/** Moves the files of one name. Returns their bytes; undefined if they are not complete or changed on the way. */
async function moveFiles({ db, source, target }: Move, name: string): Promise<number | undefined> {
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
