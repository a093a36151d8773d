import type { Middleware } from 'koa';

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
