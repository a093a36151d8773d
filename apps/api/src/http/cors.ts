import type { Route } from '@linnet/contract/route';
import type { Context, Middleware } from 'koa';

import { methodsOf } from './request-rules.ts';

/**
 * Pages of every origin may call the API: it takes no cookies, and a token is the caller's own to send
 * (decisions, Details 12). Errors can be read as answers can.
 */
const everyAnswer = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, WWW-Authenticate, X-Request-Id',
};

const openPaths = /^\/(?:api\/|\.well-known\/oauth-protected-resource(?:\/|$))/;

/** Lets pages of other origins read what is below /api, and the resource metadata. */
export function allowEveryOrigin(): Middleware {
  return async (ctx, next) => {
    if (openPaths.test(ctx.path)) ctx.set(everyAnswer);
    await next();
  };
}

/** Chromium keeps the answer of a preflight for at most two hours. */
const maxAgeSeconds = '7200';
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, DPoP, Accept, Accept-Language';

/** Answers OPTIONS of an endpoint, preflight or not: 204 without a token (Fetch standard, CORS protocol). */
export function answerOptions(ctx: Context, route: Pick<Route, 'methods' | 'writes'>): void {
  const methods = [...methodsOf(route), 'OPTIONS'].join(', ');
  ctx.status = 204;
  ctx.set('Allow', methods);
  if (isPreflight(ctx)) allow(ctx, methods);
}

/** A preflight of what is no endpoint is let through: only then can a page read why its call is refused. */
export function answerStrayPreflight(ctx: Context): boolean {
  if (!isPreflight(ctx) || !openPaths.test(ctx.path)) return false;
  ctx.status = 204;
  allow(ctx, 'GET, HEAD, POST, OPTIONS');
  return true;
}

function isPreflight(ctx: Context): boolean {
  return ctx.method === 'OPTIONS' && ctx.get('origin') !== '' && ctx.get('access-control-request-method') !== '';
}

function allow(ctx: Context, methods: string): void {
  ctx.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': maxAgeSeconds,
  });
}
