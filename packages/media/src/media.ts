import { join } from 'node:path';

import type { Db } from '@linnet/db/database';
import type { Job } from '@linnet/service/jobs';
import type { Logger } from '@linnet/service/logger';

import { createDecoder } from './decode/decoder.ts';
import { createMediaFetcher } from './fetch/media-fetcher.ts';
import { createMediaJobs } from './media-sweep.ts';
import { createFileStorage } from './storage/file-storage.ts';
import type { MediaStorage } from './storage/media-storage.ts';
import { createUploadLimiter, unlimitedUploads } from './upload-limiter.ts';
import type { UploadLimiter } from './upload-limiter.ts';
import { createUploads } from './uploads.ts';
import type { Uploads } from './uploads.ts';

/** The services for uploaded images: fetching, decoding, storing and sweeping. */
export interface Media extends AsyncDisposable {
  readonly storage: MediaStorage;
  readonly uploads: Uploads;
  readonly jobs: readonly Job[];
  /** The id of the decoder process; `undefined`: it is not running. */
  readonly decoderPid: () => number | undefined;
}

interface MediaOptions {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly mediaFetchAllow: readonly string[];
  readonly rateLimits: boolean;
  /** The number of processes that share the hourly limit. */
  readonly workers: number;
}

/** Per account and process. */
const maxConcurrentUploads = 8;
/** Per account, in all processes together. */
const uploadsPerHour = 300;

/** Creates the services. Disposal aborts fetches and stops the decoder process. */
export function createMedia(
  { baseUrl, dataDir, mediaFetchAllow, rateLimits, workers }: MediaOptions,
  db: Db,
  logger: Logger,
): Media {
  const storage = createFileStorage(join(dataDir, 'media'));
  const fetcher = createMediaFetcher({ allow: mediaFetchAllow, userAgent: `Linnet (+${baseUrl})` });
  const decoder = createDecoder({
    dataDir,
    jobFiles: join(storage.draftDirectory, '*'),
    onExit: (error) => logger.warn({ err: error }, 'the decoder process exited'),
  });
  return {
    storage,
    uploads: createUploads({
      fetcher,
      decoder,
      storage,
      limiter: rateLimits ? createLimiter(workers) : unlimitedUploads,
    }),
    decoderPid: () => decoder.pid(),
    jobs: createMediaJobs(db, storage),
    [Symbol.asyncDispose]: async () => {
      fetcher[Symbol.dispose]();
      await decoder[Symbol.asyncDispose]();
    },
  };
}

function createLimiter(workers: number): UploadLimiter {
  return createUploadLimiter({ concurrent: maxConcurrentUploads, perHour: Math.ceil(uploadsPerHour / workers) });
}
