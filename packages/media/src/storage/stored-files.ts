/** The paths of stored files, in the storage and in its quarantine. */

import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Rendition } from '../decode/decode-job.ts';
import type { MediaStorage, Position } from './media-storage.ts';

/** What names begin with: the folders of the files. */
export const prefixes: readonly string[] = Array.from({ length: 256 }, (_, index) =>
  index.toString(16).padStart(2, '0'),
);

const filePattern = /^([0-9a-f]{32})\.[a-z]+(\.[a-z]+)$/;
/** How many names a list yields at a time. */
export const batchSize = 500;

export function folderOf(directory: string, name: string): string {
  return join(directory, name.slice(0, 2));
}

export function pathOf(directory: string, name: string, rendition: Rendition): string {
  return join(directory, relativePathOf(name, rendition));
}

/** The path below a directory, or the key below a prefix of a bucket. */
export function relativePathOf(name: string, rendition: Rendition): string {
  const [stem, extension] = name.split('.');
  if (stem === undefined || extension === undefined) throw new Error(`${name} is not the name of a file of media`);
  return `${name.slice(0, 2)}/${stem}.${rendition}.${extension}`;
}

/** Returns the name of media to which a file belongs; undefined for other files. */
export function nameOfFile(file: string): string | undefined {
  const [, stem, extension] = filePattern.exec(file) ?? [];
  return stem === undefined || extension === undefined ? undefined : stem + extension;
}

/** Yields the names of the files in a folder, in batches of at most 500, some of them more than once. */
export async function* listNames(folder: string): AsyncIterable<readonly string[]> {
  const entries = await opendir(folder, { bufferSize: batchSize }).catch(undefinedIfMissing);
  if (entries === undefined) return;
  const names = new Set<string>();
  for await (const entry of entries) {
    const name = nameOfFile(entry.name);
    if (name === undefined) continue;
    names.add(name);
    if (names.size < batchSize) continue;
    yield [...names];
    names.clear();
  }
  if (names.size > 0) yield [...names];
}

/** False also if the file does not exist. */
export async function isOlder(path: string, ms: number): Promise<boolean> {
  const found = await stat(path).catch(undefinedIfMissing);
  // ctime, because a rename changes it: a file that was received long ago and stored just now counts as new.
  return found !== undefined && Date.now() - Math.floor(found.ctimeMs) >= ms;
}

/** @throws the error, if it is another one */
export function undefinedIfMissing(error: unknown): undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
}

/** A line with both numbers. */
export function printPosition({ startedAt, next }: Position): string {
  return `${String(startedAt)} ${String(next)}\n`;
}

/** The inverse of `printPosition`; undefined for other text. */
export function parsePosition(text: string): Position | undefined {
  const [, startedAt, next] = /^(\d{1,15}) (\d{1,3})\n$/.exec(text) ?? [];
  return startedAt === undefined ? undefined : { startedAt: Number(startedAt), next: Number(next) };
}

/**
 * Creates storage that stores new files in `current`, and still finds those that were stored in `other` and have not been moved
 * (`linnet media move`). A removal removes the files from both.
 */
export function combineStorages(current: MediaStorage, other: MediaStorage): MediaStorage {
  return {
    ...current,
    // The file may be moved between the first two.
    open: async (name, rendition) =>
      (await current.open(name, rendition)) ??
      (await other.open(name, rendition)) ??
      (await current.open(name, rendition)),
    remove: async (name) => {
      await current.remove(name);
      await other.remove(name);
    },
  };
}
