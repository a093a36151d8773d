import type { FileHandle } from 'node:fs/promises';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { renditions } from '../decode/decode-job.ts';
import type { Rendition } from '../decode/decode-job.ts';
import { StorageFailed } from './media-storage.ts';
import type { Draft, MediaStorage, StoredFile } from './media-storage.ts';

/**
 * Creates storage below a directory. Files such as `ab/ab….full.png` are spread over 256 folders by the first two hex
 * digits of their names; `drafts/` holds uploads in progress. A file gets its name with rename(2) after it is complete
 * and synced, so a crash leaves no partial files.
 */
export function createFileStorage(directory: string): MediaStorage {
  const draftDirectory = join(directory, 'drafts');
  return {
    draftDirectory,
    createDraft: async () => await orStorageFailed(createDraft(draftDirectory)),
    store: async (name, draft) => {
      try {
        await orStorageFailed(store(directory, name, draft));
      } catch (error) {
        await remove(directory, name);
        throw error;
      }
    },
    open: async (name, rendition) => await openStored(pathOf(directory, name, rendition)),
    remove: async (name) => await remove(directory, name),
    list: (olderThanMs) => list(directory, olderThanMs),
    removeDrafts: async (olderThanMs) => await removeDrafts(draftDirectory, olderThanMs),
  };
}

async function createDraft(parent: string): Promise<Draft> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(parent, 'draft-'));
  return {
    source: join(directory, 'source'),
    renditions: { full: join(directory, 'full'), display: join(directory, 'display'), thumb: join(directory, 'thumb') },
    [Symbol.asyncDispose]: async () => await rm(directory, { recursive: true, force: true }),
  };
}

/** The decoder process has synced the files. Syncing the folder makes the renames durable. */
async function store(directory: string, name: string, draft: Draft): Promise<void> {
  const folder = folderOf(directory, name);
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(directory);
  for (const rendition of renditions) {
    await rename(draft.renditions[rendition], pathOf(directory, name, rendition));
  }
  await syncFolder(folder);
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

async function remove(directory: string, name: string): Promise<void> {
  for (const rendition of renditions) await rm(pathOf(directory, name, rendition), { force: true });
}

async function openStored(path: string): Promise<StoredFile | undefined> {
  const file = await open(path, 'r').catch(undefinedIfMissing);
  return file === undefined ? undefined : await toStored(file);
}

async function toStored(file: FileHandle): Promise<StoredFile> {
  const { size } = await file.stat();
  return {
    bytes: size,
    read: (start, end) => file.createReadStream({ start, end }),
    [Symbol.asyncDispose]: async () => await file.close(),
  };
}

const folderPattern = /^[0-9a-f]{2}$/;
const filePattern = /^([0-9a-f]{32})\.[a-z]+(\.[a-z]+)$/;

async function* list(directory: string, olderThanMs: number): AsyncIterable<readonly string[]> {
  for (const folder of await entriesOf(directory)) {
    if (!folderPattern.test(folder)) continue;
    const names = new Set<string>();
    for (const file of await entriesOf(join(directory, folder))) {
      const [, stem, extension] = filePattern.exec(file) ?? [];
      if (stem === undefined || extension === undefined) continue;
      if (await isOlder(join(directory, folder, file), olderThanMs)) names.add(stem + extension);
    }
    if (names.size > 0) yield [...names];
  }
}

async function removeDrafts(draftDirectory: string, olderThanMs: number): Promise<void> {
  for (const entry of await entriesOf(draftDirectory)) {
    const path = join(draftDirectory, entry);
    if (await isOlder(path, olderThanMs)) await rm(path, { recursive: true, force: true });
  }
}

async function entriesOf(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(undefinedIfMissing)) ?? [];
}

async function isOlder(path: string, ms: number): Promise<boolean> {
  const found = await stat(path).catch(undefinedIfMissing);
  // ctime, because a rename changes it: a file that was received long ago and stored just now counts as new.
  return found !== undefined && Date.now() - found.ctimeMs >= ms;
}

function folderOf(directory: string, name: string): string {
  return join(directory, name.slice(0, 2));
}

function pathOf(directory: string, name: string, rendition: Rendition): string {
  const [stem, extension] = name.split('.');
  if (stem === undefined || extension === undefined) throw new Error(`${name} is not the name of a file of media`);
  return join(folderOf(directory, name), `${stem}.${rendition}.${extension}`);
}

async function orStorageFailed<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new StorageFailed('the files could not be written', { cause: error });
  }
}

function undefinedIfMissing(error: unknown): undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
}
