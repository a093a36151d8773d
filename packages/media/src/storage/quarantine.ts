import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { renditions } from '../decode/decode-job.ts';
import type { Quarantine } from './media-storage.ts';
import { folderOf, isOlder, listNames, pathOf, undefinedIfMissing } from './stored-files.ts';

/** Moves files between the folders of the storage and the same folders of the quarantine, on the same volume. */
export function createQuarantine(storage: string, quarantine: string): Quarantine {
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
