import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { renditions } from '../decode/decode-job.ts';
import { StorageFailed } from './media-storage.ts';
import type { Draft, MediaStorage, PositionFile, Quarantine, StoredFile } from './media-storage.ts';
import {
  folderOf,
  isOlder,
  listNames,
  parsePosition,
  pathOf,
  prefixes,
  printPosition,
  undefinedIfMissing,
} from './stored-files.ts';

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

/** Uploads in progress, on this machine: the decoder reads and writes their files. */
type Drafts = Pick<MediaStorage, 'draftDirectory' | 'createDraft' | 'removeDrafts'>;

/** Creates the part of a storage that holds uploads in progress, in the folder `drafts` of `directory`. */
export function createDrafts(directory: string): Drafts {
  const draftDirectory = join(directory, 'drafts');
  return {
    draftDirectory,
    createDraft: async () => await orStorageFailed(createDraft(draftDirectory)),
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

async function removeDrafts(draftDirectory: string, olderThanMs: number): Promise<void> {
  for (const entry of await entriesOf(draftDirectory)) {
    const path = join(draftDirectory, entry);
    if (await isOlder(path, olderThanMs)) await rm(path, { recursive: true, force: true });
  }
}

async function entriesOf(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(undefinedIfMissing)) ?? [];
}

/** Converts every error to StorageFailed. */
export async function orStorageFailed<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new StorageFailed({ cause: error });
  }
}

/** Moves files between the folders of the storage and the same folders of the quarantine, on the same volume. */
function createQuarantine(storage: string, quarantine: string): Quarantine {
  return {
    add: async (name, olderThanMs) => {
      for (const rendition of renditions) {
        if (await isOlder(pathOf(storage, name, rendition), olderThanMs)) {
          await move(name, pathOf(storage, name, rendition), quarantine);
        }
      }
    },
    release: async (name) => {
      for (const rendition of renditions) await move(name, pathOf(quarantine, name, rendition), storage);
    },
    remove: async (name, olderThanMs) => {
      for (const rendition of renditions) {
        const path = pathOf(quarantine, name, rendition);
        // A move changes the ctime.
        if (await isOlder(path, olderThanMs)) await rm(path, { force: true });
      }
    },
    list: (prefix) => listNames(join(quarantine, prefix)),
  };
}

/** Another process may have moved or removed the file. */
async function move(name: string, path: string, to: string): Promise<void> {
  const folder = folderOf(to, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(path, join(folder, path.slice(path.lastIndexOf('/') + 1))).catch(undefinedIfMissing);
}
