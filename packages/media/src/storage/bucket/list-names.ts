import { StorageUnavailable } from '../media-storage.ts';
import { batchSize, nameOfFile } from '../stored-files.ts';
import { readText } from './bucket-client.ts';
import type { BucketClient } from './bucket-client.ts';
import { findElement, findElements } from './xml-elements.ts';

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
