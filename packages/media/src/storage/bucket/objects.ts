import { StorageUnavailable } from '../media-storage.ts';
import { readText } from './bucket-client.ts';
import type { BucketClient } from './bucket-client.ts';

/** For requests within a transaction, which must not be idle for five seconds. */
export const shortPatience = { attempts: 2, totalMs: 2000 };

/** An object of the bucket. */
export interface BucketObject {
  readonly key: string;
  readonly bytes: number;
  /** Milliseconds since 1970: when it was uploaded or copied. */
  readonly storedAt: number;
}

/** `undefined`: there is no such object. @throws StorageUnavailable */
export async function findObject(client: BucketClient, key: string): Promise<BucketObject | undefined> {
  const { status, headers, body } = await client.send({ operation: 'head', key });
  await body.dump();
  if (status === 404) return undefined;
  const { 'content-length': length, 'last-modified': modified } = headers;
  return { key, bytes: Number(length), storedAt: Date.parse(String(modified)) };
}

/** Removes an object, if it exists. @throws StorageUnavailable */
export async function removeObject(client: BucketClient, key: string): Promise<void> {
  const { body } = await client.send({ operation: 'delete', key, patience: shortPatience });
  await body.dump();
}

/** Copies an object within the bucket. False: it does not exist. @throws StorageUnavailable */
export async function copyObject(client: BucketClient, from: string, to: string): Promise<boolean> {
  const source = `/${client.bucket}/${client.prefix}${from}`;
  const response = await client.send({ operation: 'copy', key: to, headers: { 'x-amz-copy-source': source } });
  const text = await readText(response);
  if (response.status === 404) return false;
  // A copy that fails after its response started has the status 200 and an error in the body.
  if (!text.includes('CopyObjectResult')) throw new StorageUnavailable('the object store did not copy an object');
  return true;
}
