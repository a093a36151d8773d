import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { renditions } from '../decode/decode-job.ts';
import { StorageFailed } from './media-storage.ts';
import type { Draft, MediaStorage, PositionFile, StoredFile } from './media-storage.ts';
import { folderOf, isOlder, listNames, pathOf, undefinedIfMissing } from './stored-files.ts';
import { createQuarantine } from './quarantine.ts';

/** The folders of the files, named by the first two hexadecimal digits of their names. */
const prefixes = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

/**
 * Creates storage below a directory. Files such as `ab/ab….full.png` are spread over 256 folders by the first two hex
 * digits of their names; `drafts/` holds uploads in progress, `quarantine/` files without a record. A file gets its name
 * with rename(2) after it is complete and synced, so a crash leaves no partial files.
 */
export function createFileStorage(directory: string): MediaStorage {
  const draftDirectory = join(directory, 'drafts');
  const quarantineDirectory = join(directory, 'quarantine');
  const removeStored = async (name: string) => {
    for (const rendition of renditions) {
      await rm(pathOf(directory, name, rendition), { force: true });
      await rm(pathOf(quarantineDirectory, name, rendition), { force: true });
    }
  };
  return {
    draftDirectory,
    createDraft: async () => await orStorageFailed(createDraft(draftDirectory)),
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
    removeDrafts: async (olderThanMs) => await removeDrafts(draftDirectory, olderThanMs),
  };
}

/** The file holds both numbers. */
function createPositionFile(path: string): PositionFile {
  return {
    read: async () => {
      const text = (await readFile(path, 'utf8').catch(undefinedIfMissing)) ?? '';
      const [, startedAt, next] = /^(\d{1,15}) (\d{1,3})\n$/.exec(text) ?? [];
      return startedAt === undefined ? undefined : { startedAt: Number(startedAt), next: Number(next) };
    },
    write: async ({ startedAt, next }) => {
      const draft = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(draft, `${String(startedAt)} ${String(next)}\n`, { mode: 0o600 });
      await rename(draft, path);
    },
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

async function removeDrafts(draftDirectory: string, olderThanMs: number): Promise<void> {
  for (const entry of await entriesOf(draftDirectory)) {
    const path = join(draftDirectory, entry);
    if (await isOlder(path, olderThanMs)) await rm(path, { recursive: true, force: true });
  }
}

async function entriesOf(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(undefinedIfMissing)) ?? [];
}

async function orStorageFailed<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new StorageFailed('the files could not be written', { cause: error });
  }
}
