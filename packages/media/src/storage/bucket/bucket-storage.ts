import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import { renditions } from '../../decode/decode-job.ts';
import type { Rendition } from '../../decode/decode-job.ts';
import { createDrafts, orStorageFailed } from '../file-storage.ts';
import type { Draft, MediaStorage, PositionFile, Quarantine } from '../media-storage.ts';
import { parsePosition, prefixes, printPosition, relativePathOf } from '../stored-files.ts';
import { readText } from './bucket-client.ts';
import type { BucketBody, BucketClient } from './bucket-client.ts';
import { copyObject, findObject, listNames, removeObject, shortPatience, typeOf } from './objects.ts';
import { openObject } from './open-object.ts';

/** Uploads of large images take longer than other requests. */
const uploadPatience = { totalMs: 60_000, attemptMs: 10_000 };

interface BucketStorageOptions {
  /** The folder on this machine for uploads in progress. */
  readonly directory: string;
  /** Whether clients are redirected to the object store. */
  readonly presigns: boolean;
}

/**
 * Creates storage in a bucket. The keys below the prefix are the paths of file storage: `ab/ab….full.png`,
 * `quarantine/ab/…`, `sweep-position`. An object appears complete or not at all, and the object store compares each upload with
 * its SHA-256. Processes and hosts can share a bucket, because a name is used once.
 */
export function createBucketStorage(client: BucketClient, { directory, presigns }: BucketStorageOptions): MediaStorage {
  const remove = async (name: string) => {
    const keys = renditions.map((rendition) => relativePathOf(name, rendition));
    const all = keys.flatMap((key) => [key, quarantineFolder + key]);
    await Promise.all(all.map(async (key) => await removeObject(client, key)));
  };
  return {
    ...createDrafts(directory),
    store: async (name, draft) => {
      const uploads = renditions.map(async (rendition) => await upload(client, name, { draft, rendition }));
      const results = await Promise.allSettled(uploads);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed === undefined) return;
      // What cannot be removed now has no record, so the sweep finds it.
      await remove(name).catch(() => undefined);
      throw failed.reason;
    },
    open: async (name, rendition) => {
      const key = relativePathOf(name, rendition);
      const found = (await findObject(client, key)) ?? (await findObject(client, quarantineFolder + key));
      if (found === undefined) return undefined;
      return openObject(client, { ...found, type: typeOf(name), isPresigned: presigns && rendition !== 'thumb' });
    },
    remove,
    prefixes,
    list: (prefix) => listNames(client, `${prefix}/`),
    quarantine: createBucketQuarantine(client),
    position: createPositionObject(client, 'sweep-position'),
  };
}

async function upload(
  client: BucketClient,
  name: string,
  { draft, rendition }: { readonly draft: Draft; readonly rendition: Rendition },
): Promise<void> {
  const path = draft.renditions[rendition];
  const body: BucketBody = {
    bytes: (await orStorageFailed(stat(path))).size,
    sha256: await orStorageFailed(hashFile(path)),
    open: () => createReadStream(path),
  };
  const headers = { 'content-type': typeOf(name) };
  const key = relativePathOf(name, rendition);
  const { body: response } = await client.send({ operation: 'put', key, headers, body, patience: uploadPatience });
  await response.dump();
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer); // no encoding is set
  return hash.digest('hex');
}

function createPositionObject(client: BucketClient, key: string): PositionFile {
  return {
    read: async () => {
      const response = await client.send({ operation: 'get', key, patience: shortPatience });
      const text = await readText(response);
      return response.status === 404 ? undefined : parsePosition(text);
    },
    write: async (position) => {
      const text = printPosition(position);
      const sha256 = createHash('sha256').update(text).digest('hex');
      const body = { bytes: text.length, sha256, open: () => text };
      const response = await client.send({ operation: 'put', key, body, patience: shortPatience });
      await response.body.dump();
    },
  };
}

const quarantineFolder = 'quarantine/';

/**
 * Moves objects by copying and then removing them, so that one of the two keys always exists. A move that was interrupted is
 * repeated by the next sweep. A copy has a new time.
 */
function createBucketQuarantine(client: BucketClient): Quarantine {
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
