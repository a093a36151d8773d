/** Rate limits that are counted in the memory of processes, and the headers that report every rate limit. */
import { AsyncLocalStorage } from 'node:async_hooks';

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

export interface NamedLimit {
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

/** Counts of all processes on all hosts (CACHE_URL). */
export interface SharedCounts {
  /** False while the cache cannot be reached: each process then allows its share. */
  readonly isReady: () => boolean;
  /**
   * Adds requests of this process, fewer than none if some were subtracted, to a window that has so many seconds left if
   * this is the first addition. Returns the requests of all processes and how long their window lasts. Rejects if the cache
   * does not respond.
   */
  readonly add: (
    limit: NamedLimit,
    key: string,
    added: { readonly requests: number; readonly seconds: number },
  ) => Promise<{ readonly requests: number; readonly milliseconds: number }>;
}

interface Window {
  /** Of this process. */
  requests: number;
  /** In milliseconds of the clock. */
  endsAt: number;
  /** Those of `requests` that were added to the shared count. */
  reported: number;
  /** Requests of other processes, as of the last report. */
  others: number;
  isReporting: boolean;
}

interface BucketOptions {
  /** Number of processes that share the limit. */
  readonly workers: number;
  readonly shared?: SharedCounts | undefined;
  readonly clock?: () => number;
}

/**
 * Runs a function outside of the request in progress. A timer keeps the asynchronous context in which it was started, and that of
 * the authorization server has the whole request: 16 KB for each window, for as long as it lasts.
 */
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** With a cache, a process reports its requests in blocks of this part of the quota, or one by one if that is less than one. */
const blocks = 100;

/**
 * Counts in memory, without a statement. Each of `workers` processes allows its share of the quota, rounded up. Counting
 * is synchronous, so that a request can be admitted and answered in one turn of the event loop.
 *
 * With `shared`, all processes together allow the quota: they report their requests in blocks, in the background, and
 * learn those of the others. So a process knows all requests but the last block of each other one.
 */
export function createBucket(limit: NamedLimit, options: BucketOptions): Bucket {
  const { windowSeconds } = limit;
  const { shared, clock = () => performance.now() } = options;
  const windowMs = windowSeconds * 1000;
  // With fractions of a millisecond, the end of a window minus its start can exceed its length.
  const now = () => Math.trunc(clock());
  const windows = new Map<string, Window>();
  const measure = createMeasure(limit, options);
  const secondsLeft = ({ endsAt }: Window, time: number) =>
    Math.min(windowSeconds, Math.max(1, Math.ceil((endsAt - time) / 1000)));
  const report = shared === undefined ? undefined : createReport({ limit, shared, now, secondsLeft });

  const find = (key: string, time: number): Window | undefined => {
    const window = windows.get(key);
    return window === undefined || window.endsAt <= time ? undefined : window;
  };
  const forget = (key: string, window: Window, afterMs: number): void => {
    const end = () => {
      if (windows.get(key) !== window) return;
      // A report may have moved the end.
      const leftMs = shared === undefined ? 0 : window.endsAt - now();
      if (leftMs > 0) forget(key, window, leftMs);
      else windows.delete(key);
    };
    outsideOfRequests(() => setTimeout(end, afterMs).unref());
  };
  const open = (key: string, time: number): Window => {
    const window = { requests: 0, endsAt: time + windowMs, reported: 0, others: 0, isReporting: false };
    windows.set(key, window);
    forget(key, window, windowMs);
    return window;
  };
  return {
    count: (key) => {
      const time = now();
      const window = find(key, time) ?? open(key, time);
      window.requests += 1;
      report?.(key, window, time);
      const { quota, requests } = measure(window);
      return { name: limit.name, quota, windowSeconds, count: { requests, seconds: secondsLeft(window, time) } };
    },
    isFull: (key) => {
      const { quota, requests } = measure(find(key, now()));
      return requests >= quota;
    },
    subtract: (key) => {
      const window = find(key, now());
      if (window !== undefined) window.requests -= 1;
    },
  };
}

interface Measured {
  readonly quota: number;
  readonly requests: number;
}

/** What counts for this process: its share of the quota and its requests, or those of all processes. */
function createMeasure({ quota }: NamedLimit, { workers, shared }: BucketOptions) {
  const share = Math.ceil(quota / workers);
  return (window: Window | undefined): Measured => {
    const requests = window?.requests ?? 0;
    return shared?.isReady() === true
      ? { quota, requests: requests + (window?.others ?? 0) }
      : { quota: share, requests };
  };
}

interface ReportOptions {
  readonly limit: NamedLimit;
  readonly shared: SharedCounts;
  /** In milliseconds. */
  readonly now: () => number;
  readonly secondsLeft: (window: Window, time: number) => number;
}

/** Reports the requests of a window if they are a block, unless a report is under way. Returns at once. */
type Report = (key: string, window: Window, time: number) => void;

function createReport({ limit, shared, now, secondsLeft }: ReportOptions): Report {
  const block = Math.max(1, Math.floor(limit.quota / blocks));

  async function send(key: string, window: Window, added: { requests: number; seconds: number }): Promise<void> {
    window.isReporting = true;
    window.reported += added.requests;
    try {
      const counted = await shared.add(limit, key, added);
      // A cache that was restarted has forgotten earlier reports.
      window.others = Math.max(0, counted.requests - window.reported);
      window.endsAt = now() + counted.milliseconds;
    } catch {
      // They are part of the next report. The connection logs its failures.
      window.reported -= added.requests;
    } finally {
      window.isReporting = false;
    }
  }
  return (key, window, time) => {
    const requests = window.requests - window.reported;
    if (Math.abs(requests) < block || window.isReporting || !shared.isReady()) return;
    void send(key, window, { requests, seconds: secondsLeft(window, time) });
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
