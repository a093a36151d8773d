import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';
import { registrationPath } from '../../protocol/request/routes.ts';

interface RegistrationConfig {
  readonly baseUrl: string;
  readonly dynamicRegistration: boolean;
}

/**
 * `POST /register` is where some clients expect dynamic client registration (RFC 7591) without reading the metadata.
 * They get a JSON error that says what to do; the page is for browsers, which send forms.
 */
export function refuseClientRegistration({ baseUrl, dynamicRegistration }: RegistrationConfig): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== pagePaths.register || ctx.method !== 'POST' || !isFromProgram(ctx)) {
      await next();
      return;
    }
    ctx.status = 404;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      error: 'invalid_request',
      error_description: dynamicRegistration
        ? `Clients register themselves at ${baseUrl}${registrationPath}, the registration_endpoint of the metadata.`
        : `Clients cannot register themselves here. A developer registers an application at ${baseUrl}${pagePaths.applications}.`,
    };
  };
}

function isFromProgram(ctx: Koa.Context): boolean {
  return ctx.is('json', '+json') !== false || ctx.accepts('html', 'json') === 'json';
}
