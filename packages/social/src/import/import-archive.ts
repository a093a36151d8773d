/** A file that somebody brings from elsewhere: a ZIP, a CAR or a compressed TAR file. Its entries are read by their names, and no file gets such a name. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

import { StorageFailed, isDiskError } from '@linnet/media/storage/media-storage';
import { CID } from 'multiformats/cid';
import { create as createMultihash } from 'multiformats/hashes/digest';
import { extract } from 'tar-stream';
import { openPromise } from 'yauzl';
import type { Entry } from 'yauzl';
import { z } from 'zod';

const megabyte = 1024 * 1024;
export const importLimits = {
  fileBytes: 500 * megabyte,
  unpackedBytes: 600 * megabyte,
  jsonBytes: 32 * megabyte,
  pictureBytes: 20 * megabyte,
  carBytes: 64 * megabyte,
  carBlocks: 500_000,
  entries: 100_000,
  /** Posts and comments together. */
  items: 10_000,
} as const;

/** Why nothing of a file is imported. */
export type ImportProblem =
  | 'too-large'
  | 'not-an-archive'
  | 'unknown-files'
  | 'damaged'
  | 'too-many-posts'
  | 'account-gone';

/** Nothing was stored. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  readonly problem: ImportProblem;
  /** The entry that is damaged; empty: the whole file. */
  readonly entry: string;

  constructor(problem: ImportProblem, entry = '', cause?: unknown) {
    super(`${problem} ${entry}`, { cause });
    this.problem = problem;
    this.entry = entry;
  }
}

export interface ImportArchive extends AsyncDisposable {
  readonly sha256: Buffer;
  readonly has: (name: string) => boolean;
  /** The entry of a CAR file: the last by its name, which often has a date. */
  readonly carName: string | undefined;
  /** The entry that is named by the CID of a blob, in any folder. */
  readonly findBlob: (cid: string) => string | undefined;
  /** @throws ImportRefused if there is no such entry, or it is too large, no JSON, or of another shape */
  readonly readJson: <Value>(name: string, schema: z.ZodType<Value>) => Promise<Value>;
  /** @throws ImportRefused if there is no such entry, or it has more than `most` bytes, or `read` rejects */
  readonly read: <Value>(name: string, most: number, read: (content: Readable) => Promise<Value>) => Promise<Value>;
  /**
   * Writes an entry to a file and returns its size. `undefined`: there is no such entry, or it is too large, damaged, or has not the
   * content that its CID names.
   */
  readonly copyPicture: (name: string, path: string) => Promise<number | undefined>;
}

/** A list that is read up to its first wrong item. An array of zod would keep a message for each of millions, and so fill the memory. */
export function listOf<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  return z.array(z.unknown()).transform((given, context) => {
    const items: Item[] = [];
    for (const one of given) {
      const parsed = item.safeParse(one);
      if (!parsed.success) {
        context.addIssue({ code: 'custom', message: 'a wrong item', path: [items.length] });
        return z.NEVER;
      }
      items.push(parsed.data);
    }
    return items;
  });
}

/** By which an import is known. */
export async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}

/** @throws ImportRefused */
export async function openImportArchive(path: string): Promise<ImportArchive> {
  if ((await stat(path)).size > importLimits.fileBytes) throw new ImportRefused('too-large');
  const sha256 = await hashFile(path);
  const { sizes, openEntry, close } = await openEntries(path);
  const names = [...sizes.keys()];
  const blobs = new Map(names.map((name) => [blobName.exec(name)?.[1], name] as const));
  const openUpTo = async (name: string, most: number) =>
    (sizes.get(name) ?? Infinity) > most ? undefined : await openEntry(name);
  const read: ImportArchive['read'] = async (name, most, readContent) => {
    try {
      const stream = await openUpTo(name, most);
      if (stream !== undefined) return await readContent(stream);
    } catch (error) {
      throw error instanceof ImportRefused ? error : new ImportRefused('damaged', name, error);
    }
    throw new ImportRefused(sizes.has(name) ? 'too-large' : 'damaged', name);
  };
  return {
    sha256,
    has: (name) => sizes.has(name),
    carName: names
      .filter((name) => carName.test(name))
      .toSorted()
      .at(-1),
    findBlob: (cid) => blobs.get(cid),
    read,
    readJson: async (name, schema) =>
      await read(name, importLimits.jsonBytes, async (content) => schema.parse(JSON.parse(await text(content)))),
    copyPicture: async (name, target) => {
      try {
        const stream = await openUpTo(name, importLimits.pictureBytes);
        return stream && (await copy(stream, target, blobName.exec(name)?.[1])) ? sizes.get(name) : undefined;
      } catch (error) {
        // What the system reports, such as a full disk, is no fault of the file.
        if (error instanceof Error && 'syscall' in error) throw error;
        return undefined;
      }
    },
    [Symbol.asyncDispose]: async () => await close(),
  };
}

/** Files that begin with a dot are notes of an operating system about others. */
const carName = /(?:^|\/)[^/.][^/]*\.car$/i;
/** `goat` and other tools name a blob by its CID, some with an extension. */
const blobName = /(?:^|\/)(bafkrei[a-z2-7]{52})(?:\.\w+)?$/;

/** Returns whether the content is the one of `cid`, if it is given. */
async function copy(content: Readable, target: string, cid: string | undefined): Promise<boolean> {
  const hash = createHash('sha256');
  content.on('data', (chunk: Buffer) => hash.update(chunk));
  await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  const [raw, sha256] = [0x55, 0x12];
  return cid === undefined || CID.create(1, raw, createMultihash(sha256, hash.digest())).toString() === cid;
}

interface Entries {
  /** By their names. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly openEntry: (name: string) => Promise<Readable | undefined>;
  readonly close: () => Promise<void> | void;
}

/** Each kind has its own beginning. That of a CAR file is the length of its header, and its roots. */
async function openEntries(path: string): Promise<Entries> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
  const begin = buffer.toString('latin1');
  if (begin.slice(1) === '\u00a2eroots') return await openCar(path);
  return await (begin.startsWith('\u001f\u008b') ? openTar(path) : openZip(path));
}

async function openCar(path: string): Promise<Entries> {
  const sizes = new Map([['repo.car', (await stat(path)).size]]);
  return { sizes, openEntry: async () => await Promise.resolve(createReadStream(path)), close: () => undefined };
}

/** Nothing that is read has a long name, and the names of all entries are in memory. */
const isKept = (name: string) => name.length <= 1024;

async function openZip(path: string): Promise<Entries> {
  const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    throw new ImportRefused('not-an-archive', '', error);
  });
  const entries = new Map<string, Entry>();
  const close = () => zip.close();
  try {
    if (zip.entryCount > importLimits.entries) throw new ImportRefused('too-large');
    for await (const entry of zip.eachEntry()) if (isKept(entry.fileName)) entries.set(entry.fileName, entry);
  } catch (error) {
    close();
    throw error instanceof ImportRefused ? error : new ImportRefused('damaged', '', error);
  }
  const sizes = new Map([...entries].map(([name, { uncompressedSize }]) => [name, uncompressedSize]));
  const openEntry = async (name: string) => {
    const entry = entries.get(name);
    return entry && (await zip.openReadStreamPromise(entry));
  };
  return { sizes, openEntry, close };
}

/** Where the content of an entry is in the unpacked file. */
interface Place {
  readonly start: number;
  readonly size: number;
}

/** A TAR file has no table of its entries: it is unpacked once, beside itself, into a file that has lost its name already. */
async function openTar(path: string): Promise<Entries> {
  const name = `${path}.${randomUUID()}`;
  const unpacked = await open(name, 'wx+', 0o600);
  try {
    await rm(name);
    const places = await unpack(path, unpacked);
    const openEntry = async (entry: string) => {
      const { start, size } = places.get(entry) ?? { start: 0, size: 0 };
      return await Promise.resolve(unpacked.createReadStream({ start, end: start + size - 1, autoClose: false }));
    };
    const sizes = new Map([...places].map(([entry, { size }]) => [entry, size]));
    return { sizes, openEntry, close: async () => await unpacked.close() };
  } catch (error) {
    await unpacked.close();
    if (isDiskError(error)) throw new StorageFailed({ cause: error });
    throw error instanceof ImportRefused ? error : new ImportRefused('damaged', '', error);
  }
}

async function unpack(path: string, target: FileHandle): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  const tar = extract();
  const read = async () => {
    let end = 0;
    for await (const content of tar) {
      const { header } = content;
      if (places.size === importLimits.entries) throw new ImportRefused('too-large');
      if (isKept(header.name)) places.set(header.name.replace(/^\.\//, ''), { start: end, size: header.size });
      const chunks = content as AsyncIterable<Buffer>; // the types of tar-stream leave them open
      for await (const chunk of chunks) end += (await target.write(chunk)).bytesWritten;
    }
  };
  await Promise.all([pipeline(createReadStream(path), createGunzip(), upTo(importLimits.unpackedBytes), tar), read()]);
  return places;
}

function upTo(most: number) {
  let bytes = 0;
  return async function* measured(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > most) throw new ImportRefused('too-large');
      yield chunk;
    }
  };
}
