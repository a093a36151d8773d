/** Rate limits that are counted in the memory of a process, and the headers that report every rate limit. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** A rate limit and the current count of one key. */
export interface Usage {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly count: {
    /** Requests in the current window. */
    readonly requests: number;
    /** Seconds until the window ends. */
    readonly seconds: number;
  };
}

interface NamedLimit {
  readonly name: string;
  /** Of all processes together. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Counts the requests of each key in a window that begins with the first of them. */
export interface Bucket {
  /** The returned usage includes the request. */
  count(key: string): Promise<Usage>;
  /** Subtracts one request. */
  subtract(key: string): Promise<void>;
}

/** Counts in memory, without a statement. Each of `workers` processes allows its share of the quota, rounded up. */
export function createBucket({ name, quota: total, windowSeconds }: NamedLimit, workers: number): Bucket {
  const quota = Math.ceil(total / workers);
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds });
  return {
    count: async (key) => {
      const result = await limiter.consume(key).catch((rejection: unknown) => {
        if (rejection instanceof RateLimiterRes) return rejection;
        throw rejection;
      });
      const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      return { name, quota, windowSeconds, count: { requests: result.consumedPoints, seconds } };
    },
    subtract: async (key) => {
      await limiter.reward(key);
    },
  };
}

export function isExceeded({ quota, count }: Usage): boolean {
  return count.requests > quota;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-10 (lists of structured fields, RFC 9651). */
export function toRateLimitHeaders(usages: readonly Usage[]): Record<'RateLimit-Policy' | 'RateLimit', string> {
  return {
    'RateLimit-Policy': usages
      .map(({ name, quota, windowSeconds }) => `"${name}";q=${String(quota)};w=${String(windowSeconds)}`)
      .join(', '),
    RateLimit: usages
      .map(
        ({ name, quota, count }) =>
          `"${name}";r=${String(Math.max(0, quota - count.requests))};t=${String(count.seconds)}`,
      )
      .join(', '),
  };
}
