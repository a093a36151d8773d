/** Rate limits that are counted in the memory of a process, and the headers that report every rate limit. */

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
  /** Counts a request. The returned usage includes it. */
  count(key: string): Usage;
  /** Whether a further request would exceed the limit. Counts nothing. */
  isFull(key: string): boolean;
  /** Subtracts one request. */
  subtract(key: string): void;
}

interface Window {
  requests: number;
  /** In milliseconds of the clock. */
  readonly endsAt: number;
}

/**
 * Counts in memory, without a statement. Each of `workers` processes allows its share of the quota, rounded up. Counting
 * is synchronous, so that a request can be admitted and answered in one turn of the event loop.
 */
export function createBucket(
  { name, quota: total, windowSeconds }: NamedLimit,
  workers: number,
  clock: () => number = () => performance.now(),
): Bucket {
  const quota = Math.ceil(total / workers);
  const windowMs = windowSeconds * 1000;
  // With fractions of a millisecond, the end of a window minus its start can exceed its length.
  const now = () => Math.trunc(clock());
  const windows = new Map<string, Window>();

  const find = (key: string, time: number): Window | undefined => {
    const window = windows.get(key);
    return window === undefined || window.endsAt <= time ? undefined : window;
  };
  const open = (key: string, time: number): Window => {
    const window = { requests: 0, endsAt: time + windowMs };
    windows.set(key, window);
    setTimeout(() => {
      if (windows.get(key) === window) windows.delete(key);
    }, windowMs).unref();
    return window;
  };
  return {
    count: (key) => {
      const time = now();
      const window = find(key, time) ?? open(key, time);
      window.requests += 1;
      const seconds = Math.max(1, Math.ceil((window.endsAt - time) / 1000));
      return { name, quota, windowSeconds, count: { requests: window.requests, seconds } };
    },
    isFull: (key) => (find(key, now())?.requests ?? 0) >= quota,
    subtract: (key) => {
      const window = find(key, now());
      if (window !== undefined) window.requests -= 1;
    },
  };
}

export function isExceeded({ quota, count }: Usage): boolean {
  return count.requests > quota;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-10 (lists of structured fields, RFC 9651). */
export function toRateLimitHeaders(usages: readonly Usage[]): Record<'RateLimit-Policy' | 'RateLimit', string> {
  let policies = '';
  let states = '';
  for (const { name, quota, windowSeconds, count } of usages) {
    const separator = policies === '' ? '' : ', ';
    policies += `${separator}"${name}";q=${String(quota)};w=${String(windowSeconds)}`;
    states += `${separator}"${name}";r=${String(Math.max(0, quota - count.requests))};t=${String(count.seconds)}`;
  }
  return { 'RateLimit-Policy': policies, RateLimit: states };
}
