import { join } from 'node:path';

import type { Db } from '@linnet/db/database';
import type { ReadinessCheck } from '@linnet/service/http/readiness';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import type { MediaSettings } from '@linnet/service/config/variables';

import type { CardJob, CardResult } from './card/card-job.ts';
import { cardScript, createCards } from './card/cards.ts';
import type { Cards } from './card/cards.ts';
import { createDecoder, createJobProcess } from './decode/decoder.ts';
import { createMediaFetcher } from './fetch/media-fetcher.ts';
import { createMediaJobs } from './media-sweep.ts';
import { watchBucket } from './storage/bucket/bucket-probe.ts';
import type { ObserveRequest } from './storage/bucket/bucket-client.ts';
import { watchDisk } from './storage/disk-probe.ts';
import { openStorages } from './storage/open-storage.ts';
import type { MediaStorage } from './storage/media-storage.ts';
import { createUploadLimiter, unlimitedUploads } from './upload-limiter.ts';
import type { UploadLimiter } from './upload-limiter.ts';
import { createUploads } from './uploads.ts';
import type { Uploads } from './uploads.ts';

/** The services for uploaded images: fetching, decoding, storing and sweeping. */
export interface Media extends AsyncDisposable {
  readonly storage: MediaStorage;
  readonly uploads: Uploads;
  readonly cards: Cards;
  readonly jobs: readonly Job[];
  /** Whether the bucket responds, or else whether the disk takes files. Optional: without it, everything but images works. */
  readonly readiness: () => Promise<readonly ReadinessCheck[]>;
  /** The id of the decoder process; `undefined`: it is not running. */
  readonly decoderPid: () => number | undefined;
}

interface MediaOptions {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly media: MediaSettings;
  readonly mediaFetchAllow: readonly string[];
  readonly rateLimits: boolean;
  /** The number of processes that share the hourly limit. */
  readonly workers: number;
  /** Observes requests to the bucket. */
  readonly observe?: ObserveRequest | undefined;
}

/** Per account and process. */
const maxConcurrentUploads = 8;
/** Per account, in all processes together. */
const uploadsPerHour = 300;

/** Creates the services. Disposal aborts fetches, stops the decoder process and closes connections. */
export function createMedia(
  { baseUrl, dataDir, media, mediaFetchAllow, rateLimits, workers, observe }: MediaOptions,
  db: Db,
  logger: Logger,
): Media {
  const storages = openStorages({ dataDir, media, observe });
  const { storage, bucket } = storages;
  const fetcher = createMediaFetcher({ allow: mediaFetchAllow, userAgent: `Linnet (+${baseUrl})` });
  const jobFiles = join(storage.draftDirectory, '*');
  const decoder = createDecoder({
    ...{ dataDir, jobFiles },
    onExit: (error) => logger.warn({ err: error }, 'the decoder process exited'),
  });
  const cardProcess = createJobProcess<CardJob, CardResult>({
    ...{ dataDir, jobFiles, script: cardScript },
    onExit: (error) => logger.warn({ err: error }, 'the card process exited'),
  });
  return {
    storage,
    uploads: createUploads({
      fetcher,
      decoder,
      storage,
      onStorageFailed: (err) => logger.warn({ err }, 'media cannot be stored'),
      limiter: rateLimits ? createLimiter(workers) : unlimitedUploads,
    }),
    cards: createCards({ process: cardProcess, storage }),
    decoderPid: () => decoder.pid(),
    jobs: createMediaJobs(db, storage),
    readiness: bucket === undefined ? watchDisk(storage.draftDirectory) : watchBucket(bucket.client),
    [Symbol.asyncDispose]: async () => {
      fetcher[Symbol.dispose]();
      await Promise.all([decoder[Symbol.asyncDispose](), cardProcess[Symbol.asyncDispose]()]);
      await storages[Symbol.asyncDispose]();
    },
  };
}

function createLimiter(workers: number): UploadLimiter {
  return createUploadLimiter({ concurrent: maxConcurrentUploads, perHour: Math.ceil(uploadsPerHour / workers) });
}
