/** A ZIP file that somebody brings from elsewhere. Its entries are read by their names, and no file gets such a name. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';

import { openPromise } from 'yauzl';
import type { Entry } from 'yauzl';
import type { z } from 'zod';

const megabyte = 1024 * 1024;
export const importLimits = {
  fileBytes: 500 * megabyte,
  jsonBytes: 32 * megabyte,
  pictureBytes: 20 * megabyte,
  entries: 100_000,
  /** Posts and comments together. */
  items: 10_000,
} as const;

/** Why nothing of a file is imported. */
export type ImportProblem = 'too-large' | 'not-a-zip' | 'unknown-files' | 'damaged' | 'too-many-posts' | 'account-gone';

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
  /** @throws ImportRefused if there is no such entry, or it is too large, no JSON, or of another shape */
  readonly readJson: <Value>(name: string, schema: z.ZodType<Value>) => Promise<Value>;
  /** Writes an entry to a file and returns its size. `undefined`: there is no such entry, or it is too large or damaged. */
  readonly copyPicture: (name: string, path: string) => Promise<number | undefined>;
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
  const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    throw new ImportRefused('not-a-zip', '', error);
  });
  const entries = new Map<string, Entry>();
  const close = () => zip.close();
  try {
    if (zip.entryCount > importLimits.entries) throw new ImportRefused('too-large');
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (error) {
    close();
    throw error instanceof ImportRefused ? error : new ImportRefused('damaged', '', error);
  }
  const open = async (name: string, most: number) => {
    const entry = entries.get(name);
    return entry === undefined || entry.uncompressedSize > most ? undefined : await zip.openReadStreamPromise(entry);
  };
  return {
    sha256,
    has: (name) => entries.has(name),
    readJson: async (name, schema) => {
      try {
        const stream = await open(name, importLimits.jsonBytes);
        if (stream !== undefined) return schema.parse(JSON.parse(await text(stream)));
      } catch (error) {
        throw new ImportRefused('damaged', name, error);
      }
      throw new ImportRefused(entries.has(name) ? 'too-large' : 'damaged', name);
    },
    copyPicture: async (name, target) => {
      try {
        const stream = await open(name, importLimits.pictureBytes);
        if (stream === undefined) return undefined;
        await pipeline(stream, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
        return entries.get(name)?.uncompressedSize;
      } catch (error) {
        // What the system reports, such as a full disk, is no fault of the file.
        if (error instanceof Error && 'syscall' in error) throw error;
        return undefined;
      }
    },
    [Symbol.asyncDispose]: async () => await Promise.resolve(close()),
  };
}
