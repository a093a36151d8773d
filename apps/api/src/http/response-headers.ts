import type { Route } from '@linnet/contract/route';
import type { Context, Middleware } from 'koa';

import { methodsOf } from './request-rules.ts';

/** Default headers of every response: no caching, no sniffing, no framing, no scripts. */
export const defaultHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Sets the default headers. */
export function responseHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set(defaultHeaders);
    await next();
  };
}

/**
 * Pages of every origin may call the API, because it uses tokens and no cookies (decisions, Details 12).
 * They can read error responses as well.
 */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, WWW-Authenticate, X-Request-Id',
};

const openPaths = /^\/(?:api\/|mcp\/?$|\.well-known\/oauth-protected-resource(?:\/|$))/;

/** Allows pages of other origins to read responses below /api and of /mcp, and the resource metadata. */
export function allowEveryOrigin(): Middleware {
  return async (ctx, next) => {
    if (openPaths.test(ctx.path)) ctx.set(corsHeaders);
    await next();
  };
}

/** Chromium caches a preflight response for at most two hours. */
const maxAgeSeconds = '7200';
const allowedHeaders =
  'Authorization, Content-Type, If-None-Match, Idempotency-Key, DPoP, Accept, Accept-Language, Last-Event-ID, ' +
  'MCP-Protocol-Version, MCP-Session-Id, Mcp-Method, Mcp-Name';

/** Responds 204 to OPTIONS, preflight or not, without a token (Fetch standard, CORS protocol). */
export function respondToOptions(ctx: Context, route: Pick<Route, 'methods' | 'writes' | 'streams'>): void {
  const methods = [...methodsOf(route), 'OPTIONS'].join(', ');
  ctx.status = 204;
  ctx.set('Allow', methods);
  if (isPreflight(ctx)) setPreflightHeaders(ctx, methods);
}

/** Allows the preflight of an unknown path: otherwise a page could not read the 404. False: not a preflight. */
export function respondToUnknownPreflight(ctx: Context): boolean {
  if (!isPreflight(ctx) || !openPaths.test(ctx.path)) return false;
  ctx.status = 204;
  setPreflightHeaders(ctx, 'GET, HEAD, POST, OPTIONS');
  return true;
}

function isPreflight(ctx: Context): boolean {
  return ctx.method === 'OPTIONS' && ctx.get('origin') !== '' && ctx.get('access-control-request-method') !== '';
}

function setPreflightHeaders(ctx: Context, methods: string): void {
  ctx.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': maxAgeSeconds,
  });
}
