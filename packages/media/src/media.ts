import { join } from 'node:path';

import type { Db } from '@linnet/db/database';
import type { Job } from '@linnet/service/jobs';
import type { Logger } from '@linnet/service/logger';

import { createDecoder } from './decode/decoder.ts';
import { createMediaFetcher } from './fetch/media-fetcher.ts';
import { createMediaJobs } from './media-sweep.ts';
import { createFileStorage } from './storage/file-storage.ts';
import type { MediaStorage } from './storage/media-storage.ts';
import { createUploadAllowance, unlimitedUploads } from './upload-allowance.ts';
import type { UploadAllowance } from './upload-allowance.ts';
import { createUploads } from './uploads.ts';
import type { Uploads } from './uploads.ts';

/** Everything about uploaded images that is not a request: getting, decoding, keeping and sweeping them. */
export interface Media extends AsyncDisposable {
  readonly storage: MediaStorage;
  readonly uploads: Uploads;
  readonly jobs: readonly Job[];
  readonly decoderPid: () => number | undefined;
}

interface MediaOptions {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly mediaFetchAllow: readonly string[];
  readonly rateLimits: boolean;
  /** Processes that share the hourly limit. */
  readonly workers: number;
}

/** Of one account: in one process, and in all of them. */
const uploadsAtOnce = 8;
const uploadsPerHour = 300;

/** Disposal ends fetches under way and the decoding process. */
export function createMedia(
  { baseUrl, dataDir, mediaFetchAllow, rateLimits, workers }: MediaOptions,
  db: Db,
  logger: Logger,
): Media {
  const storage = createFileStorage(join(dataDir, 'media'));
  const fetcher = createMediaFetcher({ allow: mediaFetchAllow, userAgent: `Linnet (+${baseUrl})` });
  const decoder = createDecoder({
    dataDir,
    onDeath: (error) => logger.warn({ err: error }, 'the decoding process died'),
  });
  return {
    storage,
    uploads: createUploads({
      fetcher,
      decoder,
      storage,
      allowance: rateLimits ? limitedUploads(workers) : unlimitedUploads,
    }),
    decoderPid: () => decoder.pid(),
    jobs: createMediaJobs(db, storage),
    [Symbol.asyncDispose]: async () => {
      fetcher[Symbol.dispose]();
      await decoder[Symbol.asyncDispose]();
    },
  };
}

function limitedUploads(workers: number): UploadAllowance {
  return createUploadAllowance({ atOnce: uploadsAtOnce, perHour: Math.ceil(uploadsPerHour / workers) });
}
