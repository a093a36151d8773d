import { mailboxKey } from '@linnet/accounts/mailbox';
import { callLimits, registrationLimits, sharedLimits } from '@linnet/contract/limits';
import type { CallLimitName } from '@linnet/contract/limits';
import type { Route } from '@linnet/contract/route';
import type { Queryable } from '@linnet/db/database';
import { clientAddress } from '@linnet/service/client-address';
import { networkOf } from '@linnet/service/network';
import { createBucket, isExceeded, toRateLimitHeaders } from '@linnet/service/rate-limit';
import type { Bucket, Usage } from '@linnet/service/rate-limit';
import type { Context, Middleware } from 'koa';

import { ApiError } from './api-error.ts';
import { countLimited, readLimited } from './rate-limit-store.ts';

export interface RateLimitOptions {
  /** Number of processes that share the limits. Each allows its part of a quota. */
  readonly workers: number;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
}

export interface RateLimits {
  /** Counts requests that no endpoint counted: rejected tokens and unknown paths. */
  readonly countOthers: Middleware;
  /**
   * Counts a request with a valid token (from `ctx.state`).
   * @throws ApiError `rate-limited`
   */
  countRequest(ctx: Context, route: Route): Promise<void>;
  /**
   * Counts a registration for the mailbox that gets mail about it.
   * @throws ApiError `rate-limited`
   */
  countMailbox(email: string): Promise<void>;
  /**
   * Counts a 409 of a registration, which says whether an e-mail address is taken, as a request to `is_email`.
   * @throws ApiError `rate-limited`, which then replaces the 409.
   */
  countTaken(ctx: Context): Promise<void>;
}

/** For RATE_LIMITS=off. */
export const unlimited: RateLimits = {
  countOthers: async (_ctx, next) => {
    await next();
  },
  countRequest: () => Promise.resolve(),
  countMailbox: () => Promise.resolve(),
  countTaken: () => Promise.resolve(),
};

export function createRateLimits(db: Queryable, { workers, trustProxy }: RateLimitOptions): RateLimits {
  const buckets = createBuckets(workers);
  const counted = new WeakSet<Context>();

  async function count(ctx: Context, kind: 'reads' | 'writes', route?: Route): Promise<void> {
    counted.add(ctx);
    const usages: Usage[] = [];
    for (const [name, key] of bucketsOf(ctx, kind, trustProxy)) {
      usages.push(buckets[name].count(key));
      applyLimits(ctx, usages);
    }
    if (route?.sharedLimit === undefined) return;
    const { sharedLimit: name } = route;
    usages.push(await countByKey(db, name, clientOf(ctx)));
    applyLimits(ctx, usages);
    if (name !== 'register') return;
    usages.push(await countByKey(db, 'register-network', networkOf(clientAddress(ctx.req, trustProxy))));
    applyLimits(ctx, usages);
    await requireAnswers(ctx, db);
  }

  return {
    countRequest: async (ctx, route) => await count(ctx, route.writes ? 'writes' : 'reads', route),
    countMailbox: async (email) => {
      const name = 'register-mailbox';
      const limit = registrationLimits[name];
      // The registration page counts under the same key.
      requireQuota({ name, ...limit, count: await countLimited(db, `${name}:${mailboxKey(email)}`, limit) });
    },
    countTaken: async (ctx) => {
      requireQuota(await countByKey(db, 'is-email', clientOf(ctx)));
    },
    countOthers: async (ctx, next) => {
      const isApiRequest = ctx.path.startsWith('/api/') && ctx.method !== 'OPTIONS';
      try {
        await next();
      } catch (error) {
        if (isApiRequest && !counted.has(ctx)) await count(ctx, 'reads');
        throw error;
      }
      if (isApiRequest && !counted.has(ctx)) await count(ctx, 'reads');
    },
  };
}

const clientOf = ({ state }: Context) => String(state['clientId']);

const limitsByName = { ...sharedLimits, ...registrationLimits } as const;

async function countByKey(db: Queryable, name: keyof typeof limitsByName, key: string): Promise<Usage> {
  const limit = limitsByName[name];
  return { name, ...limit, count: await countLimited(db, `api:${name}:${key}`, limit) };
}

/**
 * Rejects registrations when the application has used up `is-email`, before it is known whether the address is taken.
 * @throws ApiError `rate-limited`
 */
async function requireAnswers(ctx: Context, db: Queryable): Promise<void> {
  const name = 'is-email';
  const limit = sharedLimits[name];
  const { requests, seconds } = await readLimited(db, `api:${name}:${clientOf(ctx)}`, limit);
  // This registration would be one request more.
  requireQuota({ name, ...limit, count: { requests: requests + 1, seconds } });
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

function createBuckets(workers: number): Readonly<Record<CallLimitName, Bucket>> {
  const create = (name: CallLimitName) => createBucket({ name, ...callLimits[name] }, workers);
  return {
    'user-reads': create('user-reads'),
    'user-writes': create('user-writes'),
    'application-reads': create('application-reads'),
    'application-writes': create('application-writes'),
    address: create('address'),
  };
}

/** @throws ApiError `rate-limited` when the quota of the last limit is exceeded. */
function applyLimits(ctx: Context, usages: readonly Usage[]): void {
  ctx.set(toRateLimitHeaders(usages));
  const last = usages.at(-1);
  if (last !== undefined) requireQuota(last);
}

/** @throws ApiError `rate-limited` */
function requireQuota(usage: Usage): void {
  if (!isExceeded(usage)) return;
  const { name, quota, windowSeconds, count } = usage;
  throw new ApiError('rate-limited', {
    detail: `The rate limit ${name} allows ${String(quota)} requests in ${String(windowSeconds)} seconds. Wait as many seconds as \`Retry-After\` says, then retry.`,
    headers: { 'Retry-After': String(count.seconds) },
  });
}
