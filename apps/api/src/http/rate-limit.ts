import { mailboxKey } from '@linnet/accounts/mailbox';
import { callLimits, registrationLimits, sharedLimits } from '@linnet/contract/limits';
import type { CallLimitName } from '@linnet/contract/limits';
import type { Route } from '@linnet/contract/route';
import type { Queryable } from '@linnet/db/statement/transaction';
import { clientAddress, networkOf } from '@linnet/service/http/address';
import type { RequestState } from '@linnet/service/http/request-log';
import { createBucket, isExceeded, toRateLimitHeaders } from '@linnet/service/limits/rate-limit';
import type { Bucket, SharedCounts, Usage } from '@linnet/service/limits/rate-limit';
import type { Context, Middleware } from 'koa';

import { ApiError } from './api-error.ts';
import type { Exchange } from './exchange.ts';
import { countLimited, findRegistering, readLimited } from './rate-limit-store.ts';

export interface RateLimitOptions {
  /** Number of processes that share the limits. Each allows its part of a quota. */
  readonly workers: number;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
  /** Counts of all processes on all hosts, with CACHE_URL. */
  readonly shared?: SharedCounts | undefined;
}

export interface RateLimits {
  /** Counts requests that no call counted, such as those to unknown paths. */
  readonly countOthers: Middleware;
  /**
   * Counts a request as a read unless it is counted: one whose token was rejected.
   * @throws ApiError `rate-limited`
   */
  countUncounted(exchange: Counted): void;
  /**
   * Counts a request with a valid token (from `state`). Returns a promise if that takes a statement.
   * @throws ApiError `rate-limited`
   */
  countRequest(exchange: Counted, route: CountedRoute): Promise<void> | undefined;
  /**
   * Counts a registration for the mailbox that gets mail about it.
   * @throws ApiError `rate-limited`
   */
  countMailbox(email: string): Promise<void>;
  /**
   * Counts a 409 of a registration, which says whether an e-mail address is taken, as a request to `is_email`.
   * @throws ApiError `rate-limited`, which then replaces the 409.
   */
  countTaken(clientId: string): Promise<void>;
}

/** The request, whose application is known, and the headers of its response. */
type Counted = Pick<Exchange, 'request' | 'headers'> & { readonly state: Partial<RequestState> };

type CountedRoute = Pick<Route, 'writes' | 'sharedLimit'>;

/** For RATE_LIMITS=off. */
export const unlimited: RateLimits = {
  countOthers: async (_ctx, next) => {
    await next();
  },
  countUncounted: () => undefined,
  countRequest: () => undefined,
  countMailbox: () => Promise.resolve(),
  countTaken: () => Promise.resolve(),
};

const limitedPaths = /^\/(?:api\/|mcp\/?$)/;

export function createRateLimits(db: Queryable, options: RateLimitOptions): RateLimits {
  const count = createCounter(db, options);

  function countOther(ctx: Context): void {
    // Whatever was counted has the header.
    if (!limitedPaths.test(ctx.path) || ctx.method === 'OPTIONS' || ctx.res.hasHeader('RateLimit')) return;
    const headers = {};
    try {
      void count({ request: ctx.req, state: ctx.state, headers }, 'reads');
    } finally {
      ctx.set(headers);
    }
  }
  return {
    countUncounted: (exchange) => {
      if (!('RateLimit' in exchange.headers)) void count(exchange, 'reads');
    },
    countRequest: (exchange, route) => count(exchange, route.writes ? 'writes' : 'reads', route),
    countMailbox: async (email) => {
      const name = 'register-mailbox';
      const limit = registrationLimits[name];
      // The registration page counts under the same key.
      requireQuota({ name, ...limit, count: await countLimited(db, `${name}:${mailboxKey(email)}`, limit) });
    },
    countTaken: async (clientId) => {
      requireQuota(await countByKey(db, 'is-email', clientId));
    },
    countOthers: async (ctx, next) => {
      try {
        await next();
      } catch (error) {
        countOther(ctx);
        throw error;
      }
      countOther(ctx);
    },
  };
}

/** Returns a promise if counting takes a statement. */
type Count = (exchange: Counted, kind: 'reads' | 'writes', route?: CountedRoute) => Promise<void> | undefined;

/** Counts for every limit of a request, until one is exceeded. */
function createCounter(db: Queryable, { trustProxy, ...sharing }: RateLimitOptions): Count {
  const buckets = createBuckets(sharing);

  /** Counts in memory. */
  function countCalls(exchange: Counted, kind: 'reads' | 'writes', add: Add): void {
    const { request, state } = exchange;
    const { clientId, accountId } = state;
    if (clientId === undefined) {
      add(buckets.address.count(networkOf(clientAddress(request, trustProxy))));
      return;
    }
    if (accountId !== undefined) add(buckets[`user-${kind}`].count(`${clientId} ${String(accountId)}`));
    add(buckets[`application-${kind}`].count(clientId));
  }

  /** Counts by statements. */
  async function countShared(name: SharedLimitName, { request, state }: Counted, add: Add): Promise<void> {
    const clientId = String(state.clientId);
    if (name !== 'register') {
      add(await countByKey(db, name, clientId));
      return;
    }
    const { ownerId, perHour } = await findRegistering(db, clientId);
    const limit = sharedLimits[name];
    add(await countUnder(db, { name, ...limit, quota: perHour ?? limit.quota }, clientId));
    if (ownerId !== null && perHour === null) add(await countByKey(db, 'register-owner', String(ownerId)));
    add(await countByKey(db, 'register-network', networkOf(clientAddress(request, trustProxy))));
    await requireAnswers(clientId, db);
  }

  return (exchange, kind, route) => {
    const usages: Usage[] = [];
    const add: Add = (usage) => {
      usages.push(usage);
      requireQuota(usage);
    };
    const setHeaders = (): void => void Object.assign(exchange.headers, toRateLimitHeaders(usages));
    try {
      countCalls(exchange, kind, add);
    } finally {
      setHeaders();
    }
    if (route?.sharedLimit === undefined) return undefined;
    return countShared(route.sharedLimit, exchange, add).finally(setHeaders);
  };
}

/** @throws ApiError `rate-limited` */
type Add = (usage: Usage) => void;
type SharedLimitName = NonNullable<Route['sharedLimit']>;

const limitsByName = { ...sharedLimits, ...registrationLimits } as const;

async function countByKey(db: Queryable, name: keyof typeof limitsByName, key: string): Promise<Usage> {
  return await countUnder(db, { name, ...limitsByName[name] }, key);
}

async function countUnder(db: Queryable, limit: Omit<Usage, 'count'>, key: string): Promise<Usage> {
  return { ...limit, count: await countLimited(db, `api:${limit.name}:${key}`, limit) };
}

/**
 * Rejects registrations when the application has used up `is-email`, before it is known whether the address is taken.
 * @throws ApiError `rate-limited`
 */
async function requireAnswers(clientId: string, db: Queryable): Promise<void> {
  const name = 'is-email';
  const limit = sharedLimits[name];
  const { requests, seconds } = await readLimited(db, `api:${name}:${clientId}`, limit);
  // This registration would be one request more.
  requireQuota({ name, ...limit, count: { requests: requests + 1, seconds } });
}

function createBuckets(sharing: Pick<RateLimitOptions, 'workers' | 'shared'>): Readonly<Record<CallLimitName, Bucket>> {
  const create = (name: CallLimitName) => createBucket({ name, ...callLimits[name] }, sharing);
  return {
    'user-reads': create('user-reads'),
    'user-writes': create('user-writes'),
    'application-reads': create('application-reads'),
    'application-writes': create('application-writes'),
    address: create('address'),
  };
}

/** @throws ApiError `rate-limited` */
function requireQuota(usage: Usage): void {
  if (!isExceeded(usage)) return;
  const { name, quota, windowSeconds, count } = usage;
  throw new ApiError('rate-limited', {
    detail: `The rate limit ${name} allows ${String(quota)} requests in ${String(windowSeconds)} seconds. Wait as many seconds as \`Retry-After\` says, then retry.`,
    headers: { 'Retry-After': String(count.seconds) },
    limit: name,
  });
}
