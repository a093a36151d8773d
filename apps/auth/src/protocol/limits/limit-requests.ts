import type { Queryable } from '@linnet/db/statement/transaction';
import { isExceeded, toRateLimitHeaders } from '@linnet/service/limits/rate-limit';
import type Koa from 'koa';
import { Provider, errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

import type { ProviderPages } from '../failures/provider-pages.ts';
import { findLimitedAs } from '../request/routes.ts';
import { RateLimited, rateLimitedDescription } from './request-limits.ts';
import type { RequestLimits } from './request-limits.ts';

const corsHeader = 'Access-Control-Allow-Origin';
const exposeHeader = 'Access-Control-Expose-Headers';
/** Pages of other origins may read them. */
export const exposedLimitHeaders = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/** Applies the rate limits to all endpoints of the protocol, and writes their headers. */
export function limitRequests(limits: RequestLimits, pages: Pick<ProviderPages, 'showError'>): Koa.Middleware {
  return async (ctx, next) => {
    const limitedAs = findLimitedAs(ctx.path);
    if (limitedAs === undefined || limitedAs === 'document' || ctx.method === 'OPTIONS') {
      await next();
      return;
    }
    try {
      await limits.begin(ctx);
      await next();
      if (limitedAs === 'client' && ctx.status === 401) await limits.failed(ctx, findClientId(ctx));
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      if (limitedAs === 'browser') showPage(ctx, pages);
      else respond(ctx);
    } finally {
      writeLimitHeaders(ctx, limits);
    }
  };
}

/** The application that the request names, if it exists. */
function findClientId(ctx: Koa.Context): string | undefined {
  const { oidc } = ctx as Koa.Context & Partial<Pick<KoaContextWithOIDC, 'oidc'>>; // set by the provider
  return oidc?.client?.clientId;
}

function showPage(ctx: Koa.Context, pages: Pick<ProviderPages, 'showError'>): void {
  ctx.status = 429;
  const description = rateLimitedDescription;
  pages.showError(ctx, { code: 'temporarily_unavailable', description, isInteractionEnded: false });
}

function respond(ctx: Koa.Context): void {
  ctx.status = 429;
  ctx.set('Cache-Control', 'no-store');
  ctx.remove('WWW-Authenticate');
  // The response says nothing about anyone, so that applications on any origin may read it.
  if (ctx.get('origin') !== '' && !ctx.res.hasHeader(corsHeader)) ctx.set(corsHeader, '*');
  ctx.body = { error: 'temporarily_unavailable', error_description: rateLimitedDescription };
}

/** The headers of the limits that apply to the request. */
export function writeLimitHeaders(ctx: Koa.Context, limits: RequestLimits): void {
  const usages = limits.usagesOf(ctx);
  if (usages.length === 0) return;
  ctx.set(toRateLimitHeaders(usages));
  const exceeded = usages.findLast(isExceeded);
  if (exceeded !== undefined) ctx.set('Retry-After', String(exceeded.count.seconds));
  if (!ctx.res.hasHeader(corsHeader)) return;
  ctx.append(exposeHeader, exposedLimitHeaders);
}

/** Bounds what strangers can make the service store: pushed requests, device codes and interactions. */

/** Bytes of JSON, by kind. All but device codes are sealed, which makes the stored text a third longer. */
const maxPendingBytes = {
  PushedAuthorizationRequest: 12_288,
  Interaction: 18_432,
  DeviceCode: 4096,
} as const;

type PendingKind = keyof typeof maxPendingBytes;

/** Call before a new one is stored. @throws InvalidRequest if it is too large, RateLimited if there were too many. */
export type AdmitPending = (kind: PendingKind, payload: object) => Promise<void>;

export interface PendingStorage {
  readonly db: Queryable;
  readonly admitPending: AdmitPending;
}

export function admitPending(limits: Pick<RequestLimits, 'storesPending'>): AdmitPending {
  return async (kind, payload) => {
    const { ctx } = Provider;
    // Our pages update interactions, without a context of the provider.
    if (ctx === undefined) return;
    if (Buffer.byteLength(JSON.stringify(payload)) > maxPendingBytes[kind]) throw new RequestTooLarge();
    await limits.storesPending(ctx);
  };
}

/** Shown as a page at the authorization endpoint: a redirect would repeat what is too large. */
class RequestTooLarge extends errors.InvalidRequest {
  override allow_redirect = false;

  constructor() {
    super('the parameters of the request are too large in total');
  }
}
