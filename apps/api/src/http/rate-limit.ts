import { callLimits, sharedLimits } from '@linnet/contract/limits';
import type { CallLimitName, RateLimit } from '@linnet/contract/limits';
import type { Route } from '@linnet/contract/route';
import type { Queryable } from '@linnet/db/database';
import { clientAddress } from '@linnet/service/client-address';
import { networkOf } from '@linnet/service/network';
import type { Context, Middleware } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { ApiError } from './api-error.ts';
import { countShared } from './rate-limit-store.ts';
import type { Count } from './rate-limit-store.ts';

export interface RateLimitOptions {
  /** Processes that share the limits: each lets its part through. */
  readonly workers: number;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: number;
}

export interface RateLimits {
  /** Counts what no endpoint has counted: refused calls, and calls of what is no endpoint. */
  readonly countOthers: Middleware;
  /**
   * Counts a call whose token is good (`ctx.state`).
   * @throws ApiError `rate-limited`
   */
  countCall(ctx: Context, route: Route): Promise<void>;
}

/** RATE_LIMITS=off */
export const unlimited: RateLimits = {
  countOthers: async (_ctx, next) => {
    await next();
  },
  countCall: () => Promise.resolve(),
};

/** One limit with what a call has left of it. */
interface Standing {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly count: Count;
}

export function createRateLimits(db: Queryable, { workers, trustProxy }: RateLimitOptions): RateLimits {
  const buckets = createBuckets(workers);
  const counted = new WeakSet<Context>();

  async function count(ctx: Context, kind: 'reads' | 'writes', route?: Route): Promise<void> {
    counted.add(ctx);
    const standings: Standing[] = [];
    for (const [name, key] of bucketsOf(ctx, kind, trustProxy)) {
      standings.push(await buckets[name](key));
      tell(ctx, standings);
    }
    if (route?.sharedLimit === undefined) return;
    const { sharedLimit: name } = route;
    const limit = sharedLimits[name];
    const key = `api:${name}:${String(ctx.state['clientId'])}`;
    standings.push({ name, ...limit, count: await countShared(db, key, limit) });
    tell(ctx, standings);
  }

  return {
    countCall: async (ctx, route) => await count(ctx, route.writes ? 'writes' : 'reads', route),
    countOthers: async (ctx, next) => {
      const isCall = ctx.path.startsWith('/api/') && ctx.method !== 'OPTIONS';
      try {
        await next();
      } catch (error) {
        if (isCall && !counted.has(ctx)) await count(ctx, 'reads');
        throw error;
      }
      if (isCall && !counted.has(ctx)) await count(ctx, 'reads');
    },
  };
}

function* bucketsOf(
  { req, state }: Context,
  kind: 'reads' | 'writes',
  trustProxy: number,
): Iterable<readonly [CallLimitName, string]> {
  const clientId: unknown = state['clientId'];
  const accountId: unknown = state['accountId'];
  if (typeof clientId !== 'string') {
    yield ['address', networkOf(clientAddress(req, trustProxy))];
    return;
  }
  if (typeof accountId === 'number') yield [`user-${kind}`, `${clientId} ${String(accountId)}`];
  yield [`application-${kind}`, clientId];
}

type Bucket = (key: string) => Promise<Standing>;

function createBuckets(workers: number): Readonly<Record<CallLimitName, Bucket>> {
  const create = (name: CallLimitName) => createBucket(name, callLimits[name], workers);
  return {
    'user-reads': create('user-reads'),
    'user-writes': create('user-writes'),
    'application-reads': create('application-reads'),
    'application-writes': create('application-writes'),
    address: create('address'),
  };
}

/** Counts in memory, so that the database has no part in it. */
function createBucket(name: CallLimitName, limit: RateLimit, workers: number): Bucket {
  const { windowSeconds } = limit;
  const quota = Math.ceil(limit.quota / workers);
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds });
  return async (key) => {
    const result = await limiter.consume(key).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
    const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
    return { name, quota, windowSeconds, count: { calls: result.consumedPoints, seconds } };
  };
}

/**
 * Writes the headers of draft-ietf-httpapi-ratelimit-headers-10 (lists of structured fields, RFC 9651).
 * @throws ApiError `rate-limited` when the limit counted last is used up.
 */
function tell(ctx: Context, standings: readonly Standing[]): void {
  ctx.set({
    'RateLimit-Policy': standings
      .map(({ name, quota, windowSeconds }) => `"${name}";q=${String(quota)};w=${String(windowSeconds)}`)
      .join(', '),
    RateLimit: standings
      .map(
        ({ name, quota, count }) =>
          `"${name}";r=${String(Math.max(0, quota - count.calls))};t=${String(count.seconds)}`,
      )
      .join(', '),
  });
  const last = standings.at(-1);
  if (last === undefined || last.count.calls <= last.quota) return;
  throw new ApiError('rate-limited', {
    detail: `At most ${String(last.quota)} calls in ${String(last.windowSeconds)} seconds (${last.name}).`,
    headers: { 'Retry-After': String(last.count.seconds) },
  });
}
