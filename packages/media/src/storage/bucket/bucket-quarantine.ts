import { renditions } from '../../decode/decode-job.ts';
import type { Quarantine } from '../media-storage.ts';
import { relativePathOf } from '../stored-files.ts';
import type { BucketClient } from './bucket-client.ts';
import { listNames, copyObject, findObject, removeObject } from './objects.ts';

export const quarantineFolder = 'quarantine/';

/**
 * Moves objects by copying and then removing them, so that one of the two keys always exists. A move that was interrupted is
 * repeated by the next sweep. A copy has a new time.
 */
export function createBucketQuarantine(client: BucketClient): Quarantine {
  const move = async (from: string, to: string) => {
    if (await copyObject(client, from, to)) await removeObject(client, from);
  };
  const isOlder = async (key: string, ms: number) => {
    const found = await findObject(client, key);
    return found !== undefined && Date.now() - found.storedAt >= ms;
  };
  return {
    add: async (name, olderThanMs) =>
      await forEachKey(name, async (key) => {
        if (await isOlder(key, olderThanMs)) await move(key, quarantineFolder + key);
      }),
    release: async (name) => await forEachKey(name, async (key) => await move(quarantineFolder + key, key)),
    remove: async (name, olderThanMs) =>
      await forEachKey(name, async (key) => {
        if (await isOlder(quarantineFolder + key, olderThanMs)) await removeObject(client, quarantineFolder + key);
      }),
    list: (prefix) => listNames(client, `${quarantineFolder}${prefix}/`),
  };
}

async function forEachKey(name: string, work: (key: string) => Promise<void>): Promise<void> {
  await Promise.all(renditions.map(async (rendition) => await work(relativePathOf(name, rendition))));
}
