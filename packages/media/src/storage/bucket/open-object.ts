import { Readable } from 'node:stream';

import { StorageUnavailable } from '../media-storage.ts';
import type { StoredFile } from '../media-storage.ts';
import type { BucketClient } from './bucket-client.ts';
import type { BucketObject } from './objects.ts';
import type { BucketResponse } from './repeated-requests.ts';

interface OpenedObject extends BucketObject {
  readonly type: string;
  readonly isPresigned: boolean;
}

const presignedSeconds = 60;
/** How often a body that was cut off is continued. */
const maxContinuations = 2;

/** Nothing is read before `read`, so there is nothing to close. */
export function openObject(client: BucketClient, object: OpenedObject): StoredFile {
  const { key, bytes, type, isPresigned } = object;
  // The object store sends these headers with the file.
  const query = { 'response-content-type': type, 'response-cache-control': 'private, max-age=300' };
  return {
    bytes,
    read: async (start, end) => {
      const range = { start, end, bytes };
      const first = await requestRange(client, key, range);
      return Readable.from(continued(client, key, { first, range }), { objectMode: false });
    },
    ...(isPresigned ? { presign: async () => await client.presign(key, { seconds: presignedSeconds, query }) } : {}),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface Range {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
  /** Of the object. */
  readonly bytes: number;
}

async function requestRange(client: BucketClient, key: string, { start, end, bytes }: Range): Promise<BucketResponse> {
  const isWhole = start === 0 && end === bytes - 1;
  const headers = isWhole ? {} : { range: `bytes=${String(start)}-${String(end)}` };
  const response = await client.send({ operation: 'get', key, headers });
  if (response.status === (isWhole ? 200 : 206)) return response;
  response.body.destroy();
  throw new StorageUnavailable(`the object store responded ${String(response.status)} to a request for a range`);
}

/** Yields the bytes of a range; requests the rest when the connection is cut off in between. */
async function* continued(
  client: BucketClient,
  key: string,
  { first, range }: { readonly first: BucketResponse; readonly range: Range },
): AsyncGenerator<Buffer> {
  let { start } = range;
  let response = first;
  for (let continuations = 0; ; continuations += 1) {
    let cause: unknown;
    try {
      const chunks = response.body as AsyncIterable<Buffer>; // no encoding is set
      for await (const chunk of chunks) {
        start += chunk.length;
        yield chunk;
      }
    } catch (error) {
      cause = error;
    }
    if (start > range.end) return;
    if (continuations >= maxContinuations) throw new StorageUnavailable('an object was cut off', { cause });
    response = await requestRange(client, key, { ...range, start });
  }
}
