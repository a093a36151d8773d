/**
 * What the processes of several hosts share in memory: CACHE_URL, a Valkey or Redis server. Whatever is there may be lost at
 * any time, so each user of the cache says what it does without it.
 */

import { z } from 'zod';

import { Secret } from '../config/secret.ts';
import type { SharedCounts } from '../limits/rate-limit.ts';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { WriteMarks } from './write-marks.ts';

/** Disposal closes the connection. */
export interface Cache extends AsyncDisposable {
  /** Whether commands can be sent. */
  readonly isReady: () => boolean;
  /** Counts requests for all processes together. */
  readonly counts: SharedCounts;
  /** Who has just written. */
  readonly marks: WriteMarks;
}

interface CacheOptions {
  /** CACHE_URL. */
  readonly url: Secret | undefined;
  /** The prefix of all keys, so that services can share a server. */
  readonly serviceName: string;
  readonly logger: Logger;
  /** Say whether the server can be reached. */
  readonly metrics?: Pick<Metrics, 'watch'> | undefined;
}

/**
 * Opens the cache, if there is one, without waiting for its server. Its client is not loaded otherwise. The connection is
 * renewed as often as it is lost; the log has one line when that begins and one when it ends.
 */
export async function openCache({ url, ...options }: CacheOptions): Promise<Cache | undefined> {
  const cache = url === undefined ? undefined : await connect(url, options);
  options.metrics?.watch('cacheServer', {}, () => (cache === undefined ? undefined : Number(cache.isReady())));
  return cache;
}

async function connect(url: Secret, { serviceName, logger }: Omit<CacheOptions, 'url'>): Promise<Cache> {
  const [{ connectCache, createSharedCounts }, { createWriteMarks }] = await Promise.all([
    import('./connection.ts'),
    import('./write-marks.ts'),
  ]);
  const client = connectCache(url.reveal());
  const lines = logOutages(logger);
  client.on('error', lines.lost).on('close', lines.lost).on('ready', lines.back);
  return {
    isReady: () => client.status === 'ready',
    counts: createSharedCounts(client, serviceName),
    marks: createWriteMarks(client, serviceName),
    [Symbol.asyncDispose]: async () => {
      client.off('close', lines.lost);
      client.disconnect();
    },
  };
}

/** Whichever comes first, an error or the end of the connection, is logged. */
function logOutages(logger: Logger) {
  let isLost = false;
  return {
    lost: (error?: Error) => {
      if (!isLost) logger.warn({ err: error }, 'the cache cannot be reached: each process counts on its own');
      isLost = true;
    },
    back: () => {
      if (isLost) logger.info('the cache can be reached again');
      isLost = false;
    },
  };
}

/** A server, and at most the number of a database: `redis://:password@cache.example.org:6379/1`. */
function isCacheUrl(text: string): boolean {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash } = new URL(text);
  return hostname !== '' && /^\/?\d{0,2}$/.test(pathname) && search === '' && hash === '';
}

/** CACHE_URL: a Valkey or Redis server that the processes of all hosts share. Secret, because it can contain a password. */
export const cacheUrlVariable = z
  .string()
  .refine(isCacheUrl, {
    error: 'must be a URL such as redis://user:password@cache.example.org:6379, or rediss:// for TLS',
  })
  .transform((text) => new Secret(text));
