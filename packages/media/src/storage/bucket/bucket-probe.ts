/** Checks of a bucket, for readiness and for `linnet doctor`. */
import { createHash, randomUUID } from 'node:crypto';

import type { ReadinessCheck } from '@linnet/service/http/readiness';

import { StorageUnavailable } from '../media-storage.ts';
import { readText } from './bucket-client.ts';
import type { BucketClient } from './bucket-client.ts';
import { removeObject } from './objects.ts';

/** One result serves all probes of this time, so that they cost the object store little. */
const freshMs = 5000;

/** Returns a readiness check that asks for the bucket, at most every five seconds. */
export function watchBucket(client: BucketClient): () => Promise<readonly ReadinessCheck[]> {
  let latest: { readonly at: number; readonly ok: Promise<boolean> } | undefined;
  return async () => {
    if (latest === undefined || performance.now() - latest.at >= freshMs) {
      latest = { at: performance.now(), ok: isReachable(client) };
    }
    return [{ name: 'media', ok: await latest.ok, isOptional: true, reason: 'bucket' }];
  };
}

async function isReachable(client: BucketClient): Promise<boolean> {
  try {
    // Less than the time after which readiness gives up.
    const { status, body } = await client.send({ operation: 'head', patience: { totalMs: 2000, attempts: 2 } });
    await body.dump();
    return status === 200;
  } catch {
    return false;
  }
}

/** What `probeBucket` found. */
export interface ProbedBucket {
  /** Whether everyone can read objects without credentials. */
  readonly isPublic: boolean;
}

/** Stores a small object, reads, lists and removes it. @throws StorageUnavailable if one of these fails */
export async function probeBucket(client: BucketClient): Promise<ProbedBucket> {
  const key = `doctor-${randomUUID()}`;
  const text = 'written by linnet doctor\n';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const put = await client.send({ operation: 'put', key, body: { bytes: text.length, sha256, open: () => text } });
  await put.body.dump();
  requireThat(put.status !== 404, 'the bucket does not exist');
  try {
    requireThat(
      (await readText(await client.send({ operation: 'get', key }))) === text,
      'the bucket returned another object',
    );
    const query = { 'list-type': '2', prefix: client.prefix + key };
    const list = await readText(await client.send({ operation: 'list', query }));
    requireThat(list.includes(key), 'the bucket does not list an object that was stored');
    return { isPublic: await isPublic(client, key) };
  } finally {
    await removeObject(client, key);
  }
}

/** @throws StorageUnavailable */
function requireThat(holds: boolean, problem: string): void {
  if (!holds) throw new StorageUnavailable(problem);
}

/** Requests an object without credentials. */
async function isPublic(client: BucketClient, key: string): Promise<boolean> {
  const { origin, pathname } = new URL(await client.presign(key, { seconds: 1, query: {} }));
  const { request } = await import('undici');
  const { statusCode, body } = await request(origin + pathname, { headersTimeout: freshMs });
  await body.dump();
  return statusCode === 200;
}
