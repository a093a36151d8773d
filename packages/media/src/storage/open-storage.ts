import { join } from 'node:path';

import type { MediaSettings } from '@linnet/service/config/variables';

import { createBucketClient } from './bucket/bucket-client.ts';
import type { BucketClient, ObserveRequest } from './bucket/bucket-client.ts';
import { createBucketStorage } from './bucket/bucket-storage.ts';
import { createFileStorage } from './file-storage.ts';
import type { MediaStorage } from './media-storage.ts';
import { combineStorages } from './stored-files.ts';

interface StorageOptions {
  readonly dataDir: string;
  readonly media: MediaSettings;
  readonly observe?: ObserveRequest | undefined;
}

/** Disposal closes the connections to the object store. */
export interface OpenedStorages extends AsyncDisposable {
  /** Where the service stores and finds files. */
  readonly storage: MediaStorage;
  readonly disk: MediaStorage;
  /** Undefined: no bucket is configured. */
  readonly bucket: { readonly storage: MediaStorage; readonly client: BucketClient } | undefined;
}

/** Creates the storage that the settings describe. Nothing is read or written yet. */
export function openStorages({ dataDir, media, observe }: StorageOptions): OpenedStorages {
  const directory = join(dataDir, 'media');
  const disk = createFileStorage(directory);
  if (media.bucket === undefined) {
    return { storage: disk, disk, bucket: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const client = createBucketClient(media.bucket, { observe });
  const inBucket = createBucketStorage(client, { directory, presigns: media.bucket.reads === 'presigned' });
  return {
    storage: media.store === 's3' ? combineStorages(inBucket, disk) : combineStorages(disk, inBucket),
    disk,
    bucket: { storage: inBucket, client },
    [Symbol.asyncDispose]: async () => await client[Symbol.asyncDispose](),
  };
}
