import { StorageUnavailable } from '../media-storage.ts';
import { batchSize, nameOfFile } from '../stored-files.ts';
import { readText } from './bucket-client.ts';
import type { BucketClient } from './bucket-client.ts';
import { findElement, findElements } from './xml-elements.ts';

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

/** Yields the names of the objects in a folder, in batches of at most 500, some of them more than once (ListObjectsV2). */
export async function* listNames(
  client: Pick<BucketClient, 'send' | 'prefix'>,
  folder: string,
  keysAtOnce = batchSize,
): AsyncIterable<readonly string[]> {
  const prefix = client.prefix + folder;
  let token: string | undefined;
  do {
    const query = { 'list-type': '2', prefix, 'max-keys': String(keysAtOnce) };
    const response = await client.send({
      operation: 'list',
      query: token === undefined ? query : { ...query, 'continuation-token': token },
    });
    const xml = await readText(response);
    // A bucket that does not exist must not look like an empty one.
    if (!xml.includes('ListBucketResult')) throw new StorageUnavailable('the bucket cannot be listed');
    const names = findNames(xml, prefix);
    if (names.size > 0) yield [...names];
    token = findElement(xml, 'IsTruncated') === 'true' ? findElement(xml, 'NextContinuationToken') : undefined;
  } while (token !== undefined);
}

function findNames(xml: string, prefix: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const key of findElements(xml, 'Key')) {
    const name = key.startsWith(prefix) ? nameOfFile(key.slice(prefix.length)) : undefined;
    if (name !== undefined) names.add(name);
  }
  return names;
}

/** The media type of a file; the decoder chose its extension. */
export function typeOf(name: string): 'image/png' | 'image/jpeg' {
  return name.endsWith('.png') ? 'image/png' : 'image/jpeg';
}
