/**
 * An object store for tests, with real HTTP, signatures and files: s3rver in this process, or with `OBJECT_STORE=versitygw` the Versity
 * gateway, a complete server written in Go (`test/support/object-gateway.ts`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import S3rver from '@20minutes/s3rver';
import type { BucketSettings } from '@linnet/service/config/variables';
import { Secret } from '@linnet/service/config/secret';
import { inject } from 'vitest';

import { createBucketClient, readText } from '@linnet/media/storage/bucket/bucket-client';
import { findElement, findElements } from '@linnet/media/storage/bucket/xml-elements';

import { findFreePort } from '../service.ts';

/** What s3rver knows. */
const credential = 'S3RVER';
const bucket = 'linnet-test';

export interface ObjectStore extends AsyncDisposable {
  readonly settings: BucketSettings;
  /** Its name and version, for titles. */
  readonly product: string;
  /** All keys of the bucket that begin with the prefix, without it, in order. */
  keys(): Promise<readonly string[]>;
}

/** Starts an object store with an empty bucket. */
export async function startObjectStore(): Promise<ObjectStore> {
  await using started = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'linnet-objects-'));
  started.defer(async () => await rm(directory, { recursive: true, force: true }));
  const gateway = inject('objectGateway');
  const { port, stop } = await (gateway === undefined ? runS3rver(directory) : runGateway(gateway.path, directory));
  started.defer(stop);
  const settings: BucketSettings = {
    ...{ endpoint: `http://127.0.0.1:${String(port)}`, bucket, region: 'us-east-1', prefix: 'pictures/' },
    ...{ accessKeyId: new Secret(credential), secretAccessKey: new Secret(credential) },
    ...{ isPathStyle: true, reads: 'proxied' },
  };
  const client = started.use(createBucketClient(settings));
  const running = started.move();
  return {
    settings,
    product: gateway?.product ?? 's3rver',
    keys: async () => {
      const keys: string[] = [];
      let token: string | undefined;
      do {
        const query = { 'list-type': '2', prefix: settings.prefix };
        const page = token === undefined ? query : { ...query, 'continuation-token': token };
        const xml = await readText(await client.send({ operation: 'list', query: page }));
        keys.push(...findElements(xml, 'Key').map((key) => key.slice(settings.prefix.length)));
        token = findElement(xml, 'IsTruncated') === 'true' ? findElement(xml, 'NextContinuationToken') : undefined;
      } while (token !== undefined);
      return keys.toSorted();
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

interface Running {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

async function runS3rver(directory: string): Promise<Running> {
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory, vhostBuckets: false },
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return { port, stop: async () => await server.close() };
}

async function runGateway(path: string, directory: string): Promise<Running> {
  await mkdir(join(directory, bucket));
  const port = await findFreePort();
  const args = ['--access', credential, '--secret', credential, '--port', `127.0.0.1:${String(port)}`, '--quiet'];
  const child = spawn(path, [...args, 'posix', directory], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  for (let isReady = false; !isReady;) {
    if (child.exitCode !== null) throw new Error('versitygw did not start');
    isReady = await fetch(`http://127.0.0.1:${String(port)}/`).then(
      () => true,
      () => false,
    );
    if (!isReady) await delay(20);
  }
  return {
    port,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
