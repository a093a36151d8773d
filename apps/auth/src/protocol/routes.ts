import type Koa from 'koa';

import { pagePaths } from '../pages/views/page-paths.ts';

/** Where the provider answers. */
export const paths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  pushedRequest: '/oauth/par',
  deviceAuthorization: '/oauth/device_authorization',
  /** A page of ours; the provider tells devices where it is. */
  device: pagePaths.device,
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  endSession: '/oauth/logout',
  endSessionConfirm: '/oauth/logout/confirm',
  endSessionSuccess: '/oauth/logout/success',
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
  [paths.endSession, ['GET', 'POST']],
  [paths.endSessionConfirm, ['POST']],
  [paths.endSessionSuccess, ['GET']],
  [paths.authorizationServerMetadata, reading],
  [paths.openidConfiguration, reading],
]);

/** An authorization request goes on here once the person has signed in or agreed. */
const resumePath = /^\/oauth\/authorize\/[A-Za-z0-9_-]{1,64}$/;

/** Where applications, and no browser, send forms with their credentials. */
export const clientEndpoints: ReadonlySet<string> = new Set([
  paths.token,
  paths.pushedRequest,
  paths.deviceAuthorization,
]);

/** A page of another origin asks whether it may send a form there (Fetch §3.2.2). */
function isPreflight(ctx: Koa.Context): boolean {
  return clientEndpoints.has(ctx.path) && ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '';
}

/**
 * Lets through to the provider what is listed here and nothing else: its own router ignores case,
 * tolerates a slash at the end, and has routes for features that are off.
 */
export const onlyListedRoutes: Koa.Middleware = async (ctx, next) => {
  const allowed = methods.get(ctx.path) ?? (resumePath.test(ctx.path) ? ['GET'] : undefined);
  if (allowed === undefined) return;
  if (allowed.includes(ctx.method) || isPreflight(ctx)) {
    await next();
    return;
  }
  ctx.status = 405;
  ctx.set('Allow', allowed.join(', '));
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { error: 'invalid_request', error_description: `${ctx.path} does not answer this method` };
};
