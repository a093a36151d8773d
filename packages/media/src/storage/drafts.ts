/** Uploads in progress, on this machine: the decoder reads and writes their files. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { StorageFailed } from './media-storage.ts';
import type { Draft, MediaStorage } from './media-storage.ts';
import { isOlder, undefinedIfMissing } from './stored-files.ts';

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
    throw new StorageFailed('the files could not be written', { cause: error });
  }
}
