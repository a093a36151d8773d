import { join } from 'node:path';

import type { Db } from '@linnet/db/database';
import type { ReadinessCheck } from '@linnet/service/http/readiness';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import type { MediaSettings } from '@linnet/service/config/variables';
import { LRUCache } from 'lru-cache';

import type { CardJob, CardResult } from './card/card-job.ts';
import { cardScript, createCards } from './card/cards.ts';
import type { Cards } from './card/cards.ts';
import { createDecoder, createJobProcess } from './decode/decoder.ts';
import { fetchLimits } from './fetch/http-get.ts';
import { createMediaFetcher } from './fetch/media-fetcher.ts';
import type { MediaFetcher } from './fetch/media-fetcher.ts';
import { createMediaJobs } from './media-sweep.ts';
import { watchBucket } from './storage/bucket/bucket-probe.ts';
import type { ObserveRequest } from './storage/bucket/bucket-client.ts';
import { watchDisk } from './storage/disk-probe.ts';
import { openStorages } from './storage/open-storage.ts';
import type { MediaStorage, StorageFailed } from './storage/media-storage.ts';
import { createUploadLimiter, unlimitedUploads } from './upload-limiter.ts';
import type { UploadLimiter } from './upload-limiter.ts';
import { createUploads } from './uploads.ts';
import type { ReceivedImage, Uploads } from './uploads.ts';

/** The services for uploaded images: fetching, decoding, storing and sweeping. */
export interface Media extends AsyncDisposable {
  readonly storage: MediaStorage;
  readonly uploads: Uploads;
  /** For files with many images, which have their own limit. */
  readonly imports: Pick<Uploads, 'receive'>;
  readonly cards: Cards;
  /** Fetches what link cards show. */
  readonly links: LinkFetcher;
  readonly jobs: readonly Job[];
  /** Whether the bucket responds, or else whether the disk takes files. Optional: without it, everything but images works. */
  readonly readiness: () => Promise<readonly ReadinessCheck[]>;
  /** The id of the decoder process; `undefined`: it is not running. */
  readonly decoderPid: () => number | undefined;
}

/** No host gets more than a few requests in a minute, however many links lead to it. */
export interface LinkFetcher extends Pick<MediaFetcher, 'fetchPage'>, Disposable {
  /** Stores a copy of a picture. Insert its record afterwards; the sweep removes files that have none. @throws as `Uploads.receive` */
  fetchPicture(address: string): Promise<ReceivedImage>;
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

/** Of link cards: nobody waits for them, and pages show their pictures small. */
const linkLimits = { ...fetchLimits, maxBytes: 5 * 1024 * 1024, totalMs: 10_000 };
/** In a minute, and per process: pages, pictures and redirects. */
const requestsPerHost = 30;

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
  const onStorageFailed = (err: StorageFailed) => logger.warn({ err }, 'media cannot be stored');
  const limiter = rateLimits ? createLimiter(workers) : unlimitedUploads;
  const linkFetcher = createMediaFetcher({
    ...{ allow: mediaFetchAllow, userAgent: `Linnet link cards (+${baseUrl})`, limits: linkLimits },
    admit: createHostLimit(rateLimits ? requestsPerHost : Infinity),
  });
  const pictures = createUploads({
    fetcher: linkFetcher,
    decoder,
    storage,
    onStorageFailed,
    limiter: unlimitedUploads,
  });
  return {
    ...{ storage, imports: pictures },
    uploads: createUploads({ fetcher, decoder, storage, onStorageFailed, limiter }),
    cards: createCards({ process: cardProcess, storage }),
    links: {
      fetchPage: async (address) => await linkFetcher.fetchPage(address),
      fetchPicture: async (address) => await pictures.receive(address, 0),
      [Symbol.dispose]: () => linkFetcher[Symbol.dispose](),
    },
    decoderPid: () => decoder.pid(),
    jobs: createMediaJobs(db, storage),
    readiness: bucket === undefined ? watchDisk(storage.draftDirectory) : watchBucket(bucket.client),
    [Symbol.asyncDispose]: async () => {
      fetcher[Symbol.dispose]();
      linkFetcher[Symbol.dispose]();
      await Promise.all([decoder[Symbol.asyncDispose](), cardProcess[Symbol.asyncDispose]()]);
      await storages[Symbol.asyncDispose]();
    },
  };
}

function createLimiter(workers: number): UploadLimiter {
  return createUploadLimiter({ concurrent: maxConcurrentUploads, perHour: Math.ceil(uploadsPerHour / workers) });
}

/** Returns whether a host may get one more request in the current minute. */
function createHostLimit(perMinute: number): (url: URL) => boolean {
  const counts = new LRUCache<string, number>({ max: 10_000, ttl: 60_000, noUpdateTTL: true });
  return ({ host }) => {
    const count = (counts.get(host) ?? 0) + 1;
    counts.set(host, count);
    return count <= perMinute;
  };
}
