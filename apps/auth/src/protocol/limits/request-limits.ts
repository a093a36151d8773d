/**
 * Rate limits of the OAuth endpoints and the admin API. A request counts by address until it proves that it belongs to an application:
 * a stranger cannot use up the quota of an application. Everything but failures is counted in memory, without a
 * statement.
 */

import type { IncomingMessage } from 'node:http';

import { oauthLimits } from '@linnet/contract/limits';
import type { OauthLimitName } from '@linnet/contract/limits';
import type { Queryable } from '@linnet/db/statement/transaction';
import { networkOf } from '@linnet/service/http/address';
import { createBucket, isExceeded } from '@linnet/service/limits/rate-limit';
import type { SharedCounts, Usage } from '@linnet/service/limits/rate-limit';
import type Koa from 'koa';
import { errors } from 'oidc-provider';

import { createFailureCounter } from './failure-count-store.ts';

/**
 * A request above a rate limit. RFC 6749 defines `temporarily_unavailable` for authorization requests; other endpoints
 * use it with 429. At the authorization endpoint it is shown as a page, because a redirect would count as success.
 */
export class RateLimited extends errors.OIDCProviderError {
  override readonly name = 'RateLimited';
  override allow_redirect = false;

  constructor() {
    super(429, 'temporarily_unavailable');
    this.error_description = rateLimitedDescription;
  }
}

export const rateLimitedDescription = 'too many requests; wait as many seconds as Retry-After says, then try again';

type Request = Pick<Koa.Context, 'req'>;

interface PresentedToken {
  readonly clientId: string;
  readonly accountId: number;
}

/** Methods that count throw RateLimited when the quota is exceeded. Without `begin` they do nothing. */
export interface RequestLimits {
  /** Counts a request by its address, until it proves where it belongs. */
  begin(ctx: Koa.Context): Promise<void>;
  /** The client authenticated. The request counts for its application only. */
  authenticated(ctx: Request, clientId: string): Promise<void>;
  /** The request has a valid token of an account, and counts for both. */
  presentedToken(ctx: Request, limit: 'oauth-user' | 'admin-api', token: PresentedToken): Promise<void>;
  /** The request is about to store something that nobody has proven to need: a pushed request, a code, an interaction. */
  storesPending(ctx: Request): Promise<void>;
  /** A client registers itself, or the metadata document of an unknown client is about to be fetched. */
  addsClient(ctx: Request, how: 'register' | 'document'): Promise<void>;
  /** Client authentication failed. */
  failed(ctx: Request, clientId: string | undefined): Promise<void>;
  /**
   * For the direct path: counts a request whose client has authenticated, at once. Undefined, and counts nothing, if a
   * limit refuses it.
   */
  countDirect(request: IncomingMessage, clientId: string): readonly Usage[] | undefined;
  /** The limits that apply to the request, as counted. */
  usagesOf(ctx: Request): readonly Usage[];
}

/** For RATE_LIMITS=off. */
export const unlimitedRequests: RequestLimits = {
  begin: () => Promise.resolve(),
  authenticated: () => Promise.resolve(),
  presentedToken: () => Promise.resolve(),
  storesPending: () => Promise.resolve(),
  addsClient: () => Promise.resolve(),
  failed: () => Promise.resolve(),
  countDirect: () => [],
  usagesOf: () => [],
};

interface Counted {
  readonly network: string;
  /** The application that the request belongs to, once it is proven. */
  clientId: string | undefined;
  usages: Usage[];
}

interface RequestLimitsOptions {
  readonly db: Queryable;
  /** Number of processes that share the limits. */
  readonly workers: number;
  /** Counts of all processes on all hosts, with CACHE_URL. */
  readonly shared?: SharedCounts | undefined;
  /** Replaces the quota of `oauth-register-address`. */
  readonly registrationsPerHour: number;
  readonly clientAddress: (ctx: Request) => string;
}

export function createRequestLimits({ db, clientAddress, ...sharing }: RequestLimitsOptions): RequestLimits {
  const buckets = createBuckets(sharing);
  const countFailure = createFailureCounter(db);
  const requests = new WeakMap<object, Counted>();

  /** Takes the request back from its address. */
  const assign = (counted: Counted, clientId: string): void => {
    counted.clientId = clientId;
    counted.usages = [];
    buckets['oauth-address'].subtract(counted.network);
  };

  return {
    begin: async (ctx) => {
      const counted: Counted = { network: networkOf(clientAddress(ctx)), clientId: undefined, usages: [] };
      requests.set(ctx.req, counted);
      add(counted, buckets['oauth-address'].count(counted.network));
    },
    authenticated: async ({ req }, clientId) => {
      const counted = requests.get(req);
      if (counted === undefined || counted.clientId !== undefined) return;
      assign(counted, clientId);
      add(counted, buckets['oauth-application'].count(clientId));
    },
    presentedToken: async ({ req }, limit, { clientId, accountId }) => {
      const counted = requests.get(req);
      if (counted === undefined || counted.clientId !== undefined) return;
      assign(counted, clientId);
      add(counted, buckets[limit].count(`${clientId} ${String(accountId)}`));
    },
    storesPending: async ({ req }) => {
      const counted = requests.get(req);
      if (counted === undefined) return;
      const { clientId, network } = counted;
      const name = clientId === undefined ? 'oauth-pending-address' : 'oauth-pending-application';
      add(counted, buckets[name].count(clientId ?? network));
    },
    addsClient: async ({ req }, how) => {
      const counted = requests.get(req);
      if (counted !== undefined) add(counted, buckets[`oauth-${how}-address`].count(counted.network));
    },
    failed: async ({ req }, clientId) => {
      const counted = requests.get(req);
      if (counted === undefined) return;
      const { network } = counted;
      if (clientId === undefined) add(counted, buckets.unknownApplication.count(network));
      else add(counted, await countFailure(`${clientId} ${network}`));
    },
    countDirect: (req, clientId) => countDirect(buckets, networkOf(clientAddress({ req })), clientId),
    usagesOf: ({ req }) => requests.get(req)?.usages ?? [],
  };
}

/** @throws RateLimited if the request exceeds the limit. */
function add(counted: Counted, usage: Usage): void {
  counted.usages.push(usage);
  if (isExceeded(usage)) throw new RateLimited();
}

/** Like `begin` and `authenticated` together, unless one of them refuses the request. */
function countDirect(buckets: Buckets, network: string, clientId: string): readonly Usage[] | undefined {
  const isFull = buckets['oauth-address'].isFull(network) || buckets['oauth-application'].isFull(clientId);
  return isFull ? undefined : [buckets['oauth-application'].count(clientId)];
}

type Buckets = ReturnType<typeof createBuckets>;

function createBuckets({
  registrationsPerHour: quota,
  ...sharing
}: Pick<RequestLimitsOptions, 'workers' | 'shared' | 'registrationsPerHour'>) {
  const create = (name: OauthLimitName, own = {}) => createBucket({ name, ...oauthLimits[name], ...own }, sharing);
  const failures = 'oauth-failures';
  return {
    'oauth-address': create('oauth-address'),
    'oauth-application': create('oauth-application'),
    'oauth-user': create('oauth-user'),
    'admin-api': create('admin-api'),
    'oauth-pending-address': create('oauth-pending-address'),
    'oauth-pending-application': create('oauth-pending-application'),
    'oauth-register-address': create('oauth-register-address', { quota }),
    'oauth-document-address': create('oauth-document-address'),
    // A request that names no application costs no statement otherwise, so counting it costs none either.
    unknownApplication: createBucket({ name: failures, ...oauthLimits[failures] }, { ...sharing, workers: 1 }),
  };
}
