import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';

/**
 * `POST /register` is where some clients expect dynamic client registration (RFC 7591), although the metadata names no
 * such endpoint. They get a JSON error that says what to do; the page is for browsers, which send forms.
 */
export function refuseClientRegistration(baseUrl: string): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== pagePaths.register || ctx.method !== 'POST' || !isFromProgram(ctx)) {
      await next();
      return;
    }
    ctx.status = 404;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      error: 'invalid_request',
      error_description: `Clients cannot register themselves here. A developer registers an application at ${baseUrl}${pagePaths.applications}.`,
    };
  };
}

function isFromProgram(ctx: Koa.Context): boolean {
  return ctx.is('json', '+json') !== false || ctx.accepts('html', 'json') === 'json';
}
