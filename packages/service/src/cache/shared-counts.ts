import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

import type { NamedLimit, SharedCounts } from '../limits/rate-limit.ts';

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
