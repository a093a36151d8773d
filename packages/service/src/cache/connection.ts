import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Secret } from '../config/secret.ts';
import type { NamedLimit, SharedCounts } from '../limits/rate-limit.ts';
import { createWriteMarks } from './write-marks.ts';

const connectTimeoutMs = 1000;
/** Longer than any command takes on a healthy network. Nobody waits for a command longer than this. */
const commandTimeoutMs = 250;
/** The connection is replaced if it has not responded to a command for this time. */
const silentMs = 1000;
const longestPauseMs = 1000;

/**
 * Connects to the server of CACHE_URL, again and again if need be. A command fails at once while there is no connection,
 * and is never sent again: a request must not wait for the cache.
 */
export function connectCache(url: string): Redis {
  return new Redis(url, {
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silentMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(100 * attempts, longestPauseMs),
  });
}

/** Counts in Valkey or Redis, under `<prefix>:limit:<name>:<key>`. A key expires with its window. */
export function createSharedCounts(client: Redis, prefix: string): SharedCounts {
  const limiters = new Map<string, RateLimiterRedis>();
  const findLimiter = ({ name, quota, windowSeconds }: NamedLimit): RateLimiterRedis => {
    const known = limiters.get(name);
    if (known !== undefined) return known;
    const limiter = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: `${prefix}:limit:${name}`,
      points: quota,
      duration: windowSeconds,
      rejectIfRedisNotReady: true,
    });
    limiters.set(name, limiter);
    return limiter;
  };
  return {
    isReady: () => client.status === 'ready',
    add: async (limit, key, { requests, seconds }) => {
      const counted = await findLimiter(limit).penalty(key, requests, { customDuration: seconds });
      return { requests: counted.consumedPoints, milliseconds: counted.msBeforeNext };
    },
  };
}

const probe = { name: 'doctor', quota: 1, windowSeconds: 1 } as const;

/** Counts and marks under keys of its own, which expire after two seconds at most. @throws Error that says why the cache cannot be used. */
export async function probeCache(url: Secret, serviceName: string): Promise<void> {
  const client = connectCache(url.reveal());
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve);
      client.once('error', reject);
    });
    await createSharedCounts(client, serviceName).add(probe, 'probe', { requests: 1, seconds: 1 });
    const marks = createWriteMarks(client, serviceName);
    await marks.add(probe.name);
    await marks.has(probe.name);
  } finally {
    client.on('error', () => undefined);
    client.disconnect();
  }
}
