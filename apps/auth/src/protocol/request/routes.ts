import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';

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

/** Served by us (`registration/`); each registration has a path below it. */
export const registrationPath = '/oauth/register';

/** Served by us (`userinfo/`). */
export const userinfoPath = '/oauth/userinfo';

/**
 * How the requests of an endpoint are limited (`limits/`): `client` responds with JSON, `browser` with a page. A
 * `document` is the same for everyone, cacheable and served from memory, so it has no limit.
 */
type LimitedAs = 'client' | 'browser' | 'document';

interface ProtocolRoute {
  readonly methods: readonly string[];
  readonly limitedAs: LimitedAs;
}

const reading = ['GET', 'HEAD', 'OPTIONS'];
const document: ProtocolRoute = { methods: reading, limitedAs: 'document' };

/** What the provider serves. */
export const protocolRoutes: ReadonlyMap<string, ProtocolRoute> = new Map<string, ProtocolRoute>([
  [paths.authorization, { methods: ['GET', 'POST'], limitedAs: 'browser' }],
  [paths.token, { methods: ['POST'], limitedAs: 'client' }],
  [paths.pushedRequest, { methods: ['POST'], limitedAs: 'client' }],
  [paths.deviceAuthorization, { methods: ['POST'], limitedAs: 'client' }],
  [paths.jwks, document],
  [paths.revocation, { methods: ['POST', 'OPTIONS'], limitedAs: 'client' }],
  [paths.introspection, { methods: ['POST'], limitedAs: 'client' }],
  [paths.authorizationServerMetadata, document],
  [paths.openidConfiguration, document],
]);

/** Where an authorization request resumes after sign-in or consent. */
const resumePath = /^\/oauth\/authorize\/[A-Za-z0-9_-]{1,64}$/;
const resumeRoute: ProtocolRoute = { methods: ['GET'], limitedAs: 'browser' };

function findRoute(path: string): ProtocolRoute | undefined {
  return protocolRoutes.get(path) ?? (resumePath.test(path) ? resumeRoute : undefined);
}

/** The endpoints of the protocol that we serve ourselves. */
export const ownRoutes: ReadonlyMap<string, LimitedAs> = new Map<string, LimitedAs>([
  [userinfoPath, 'client'],
  [registrationPath, 'client'],
  [paths.endSession, 'browser'],
]);

/** Undefined for paths that belong to the pages. */
export function findLimitedAs(path: string): LimitedAs | undefined {
  const own = path.startsWith(`${registrationPath}/`) ? registrationPath : path;
  return ownRoutes.get(own) ?? findRoute(path)?.limitedAs;
}

/** Names the route of a request for the metrics. */
export const nameProtocolRoute: Koa.Middleware = async (ctx, next) => {
  const { path } = ctx;
  if (protocolRoutes.has(path) || ownRoutes.has(path)) nameRoute(ctx, path);
  else if (resumePath.test(path)) nameRoute(ctx, `${paths.authorization}/:uid`);
  else if (path.startsWith('/oauth/status/')) nameRoute(ctx, '/oauth/status/:api/:list');
  else if (path.startsWith(`${registrationPath}/`)) nameRoute(ctx, `${registrationPath}/:client_id`);
  await next();
};

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
    const allowed = findRoute(ctx.path)?.methods;
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

/** Runs middleware in order as one. */
export function compose(steps: readonly Koa.Middleware[]): Koa.Middleware {
  return (ctx, next) => {
    const run = (index: number): Promise<unknown> => {
      const step = steps[index];
      return Promise.resolve(step === undefined ? next() : step(ctx, () => run(index + 1)));
    };
    return run(0);
  };
}
