import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { renditions } from '../decode/decode-job.ts';
import { createDrafts, orStorageFailed } from './drafts.ts';
import type { Draft, MediaStorage, PositionFile, StoredFile } from './media-storage.ts';
import { parsePosition, printPosition } from './sweep-position.ts';
import { folderOf, listNames, pathOf, prefixes, undefinedIfMissing } from './stored-files.ts';
import { createQuarantine } from './quarantine.ts';

/**
 * Creates storage below a directory. Files such as `ab/ab….full.png` are spread over 256 folders by the first two hex
 * digits of their names; `drafts/` holds uploads in progress, `quarantine/` files without a record. A file gets its name
 * with rename(2) after it is complete and synced, so a crash leaves no partial files.
 */
export function createFileStorage(directory: string): MediaStorage {
  const quarantineDirectory = join(directory, 'quarantine');
  const removeStored = async (name: string) => {
    for (const rendition of renditions) {
      await rm(pathOf(directory, name, rendition), { force: true });
      await rm(pathOf(quarantineDirectory, name, rendition), { force: true });
    }
  };
  return {
    ...createDrafts(directory),
    store: async (name, draft) => {
      try {
        await orStorageFailed(store(directory, name, draft));
      } catch (error) {
        await removeStored(name);
        throw error;
      }
    },
    open: async (name, rendition) =>
      (await openStored(pathOf(directory, name, rendition))) ??
      (await openStored(pathOf(quarantineDirectory, name, rendition))),
    remove: removeStored,
    prefixes,
    list: (prefix) => listNames(join(directory, prefix)),
    quarantine: createQuarantine(directory, quarantineDirectory),
    position: createPositionFile(join(directory, 'sweep-position')),
  };
}

function createPositionFile(path: string): PositionFile {
  return {
    read: async () => parsePosition((await readFile(path, 'utf8').catch(undefinedIfMissing)) ?? ''),
    write: async (position) => {
      const draft = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(draft, printPosition(position), { mode: 0o600 });
      await rename(draft, path);
    },
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

async function openStored(path: string): Promise<StoredFile | undefined> {
  const file = await open(path, 'r').catch(undefinedIfMissing);
  return file === undefined ? undefined : await toStored(file);
}

async function toStored(file: FileHandle): Promise<StoredFile> {
  const { size } = await file.stat();
  return {
    bytes: size,
    read: (start, end) => Promise.resolve(file.createReadStream({ start, end })),
    [Symbol.asyncDispose]: async () => await file.close(),
  };
}
