import type { Middleware } from 'koa';

/** Headers of every answer: nothing is kept, nothing is guessed, nothing can be framed or run. */
export function responseHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    await next();
  };
}
