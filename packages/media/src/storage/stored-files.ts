/** The paths of stored files, in the storage and in its quarantine. */
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Rendition } from '../decode/decode-job.ts';

const filePattern = /^([0-9a-f]{32})\.[a-z]+(\.[a-z]+)$/;
const batchSize = 500;

export function folderOf(directory: string, name: string): string {
  return join(directory, name.slice(0, 2));
}

export function pathOf(directory: string, name: string, rendition: Rendition): string {
  const [stem, extension] = name.split('.');
  if (stem === undefined || extension === undefined) throw new Error(`${name} is not the name of a file of media`);
  return join(folderOf(directory, name), `${stem}.${rendition}.${extension}`);
}

/** Yields the names of the files in a folder, in batches of at most 500, some of them more than once. */
export async function* listNames(folder: string): AsyncIterable<readonly string[]> {
  const entries = await opendir(folder, { bufferSize: batchSize }).catch(undefinedIfMissing);
  if (entries === undefined) return;
  const names = new Set<string>();
  for await (const { name } of entries) {
    const [, stem, extension] = filePattern.exec(name) ?? [];
    if (stem === undefined || extension === undefined) continue;
    names.add(stem + extension);
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
  return found !== undefined && Date.now() - found.ctimeMs >= ms;
}

/** @throws the error, if it is another one */
export function undefinedIfMissing(error: unknown): undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
}
