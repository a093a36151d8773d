import { join } from 'node:path';

import { probeBucket } from '@linnet/media/storage/bucket/bucket-probe';
import { openStorages } from '@linnet/media/storage/open-storage';
import { isLoopbackHost } from '@linnet/service/config/environment';

import type { Config } from '../config.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check, Finding } from './check.ts';
import { checkFolder } from './machine-checks.ts';

/** A folder must take files. A bucket must store, return, list and remove an object, for us only. */
export function checkMediaStore(config: Config): Promise<Check> {
  return runCheck('media-store', async () => {
    await using storages = openStorages(config);
    const { bucket } = storages;
    if (bucket === undefined) return await checkFolder(join(config.dataDir, 'media'));
    const { isPublic } = await probeBucket(bucket.client).catch((error: unknown) => {
      throw new CheckFailed(
        `The bucket cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        'Check S3_ENDPOINT, S3_REGION, S3_PATH_STYLE and the keys, that the clock of this machine is right, and that the keys may get, put, list and delete objects below S3_PREFIX.',
        { cause: error },
      );
    });
    const isUsed = config.media.store === 's3';
    const detail = isUsed
      ? 'the bucket stores files'
      : 'files are stored in DATA_DIR/media, and read from the bucket too';
    return { detail, ...findRisk(config, isPublic) };
  });
}

function findRisk({ media: { bucket } }: Config, isPublic: boolean): Partial<Finding> {
  if (isPublic) {
    return {
      detail: 'everyone can read the objects of the bucket, also images of protected accounts',
      warning: true,
      remedy: 'Remove the policy that makes the bucket public.',
    };
  }
  const endpoint = new URL(bucket?.endpoint ?? 'https://localhost');
  if (endpoint.protocol === 'https:' || isLoopbackHost(endpoint.hostname)) return {};
  return {
    detail: 'the bucket stores files; requests to it are not encrypted',
    warning: true,
    remedy: 'Use https:// in S3_ENDPOINT, unless only trusted machines are on that network.',
  };
}
