import type Koa from 'koa';

import { pagePaths } from '../pages/views/page-paths.ts';

/** The paths that the provider serves. */
export const paths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  pushedRequest: '/oauth/par',
  deviceAuthorization: '/oauth/device_authorization',
  /** Our own page; the provider only tells devices its address. */
  device: pagePaths.device,
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  /** Our own page. */
  endSession: pagePaths.endSession,
  authorizationServerMetadata: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
} as const;

const reading = ['GET', 'HEAD', 'OPTIONS'];

const methods: ReadonlyMap<string, readonly string[]> = new Map([
  [paths.authorization, ['GET', 'POST']],
  [paths.token, ['POST']],
  [paths.pushedRequest, ['POST']],
  [paths.deviceAuthorization, ['POST']],
  [paths.jwks, reading],
  [paths.revocation, ['POST', 'OPTIONS']],
  [paths.introspection, ['POST']],
  [paths.authorizationServerMetadata, reading],
  [paths.openidConfiguration, reading],
]);

/** Where an authorization request resumes after sign-in or consent. */
const resumePath = /^\/oauth\/authorize\/[A-Za-z0-9_-]{1,64}$/;

/** The endpoints that applications call with their credentials; no browser navigates to them. */
export const clientEndpoints: ReadonlySet<string> = new Set([
  paths.token,
  paths.pushedRequest,
  paths.deviceAuthorization,
]);

/** The documents that pages of every origin may read. */
export const openDocuments: ReadonlySet<string> = new Set([
  paths.jwks,
  paths.authorizationServerMetadata,
  paths.openidConfiguration,
]);

/** A CORS preflight of a page on another origin (Fetch §3.2.2). */
function isPreflight(ctx: Koa.Context): boolean {
  return clientEndpoints.has(ctx.path) && ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '';
}

/**
 * Passes only the listed paths and methods to the provider. Its own router ignores case, tolerates a
 * trailing slash, and has routes for features that are off. Other paths belong to the pages.
 */
export function forListedRoutes(endpoints: Koa.Middleware): Koa.Middleware {
  return async (ctx, next) => {
    const allowed = methods.get(ctx.path) ?? (resumePath.test(ctx.path) ? ['GET'] : undefined);
    if (allowed === undefined) {
      await next();
    } else if (allowed.includes(ctx.method) || isPreflight(ctx)) {
      await endpoints(ctx, async () => undefined);
    } else {
      ctx.status = 405;
      ctx.set('Allow', allowed.join(', '));
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { error: 'invalid_request', error_description: `${ctx.path} does not accept this method` };
    }
  };
}
