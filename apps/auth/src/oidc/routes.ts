import type Koa from 'koa';

/** Where the provider answers. */
export const paths = {
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  authorizationServerMetadata: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
} as const;

const reading = ['GET', 'HEAD', 'OPTIONS'];

const methods: ReadonlyMap<string, readonly string[]> = new Map([
  [paths.token, ['POST']],
  [paths.jwks, reading],
  [paths.authorizationServerMetadata, reading],
  [paths.openidConfiguration, reading],
]);

/**
 * Lets through to the provider what is listed here and nothing else: its own router ignores case,
 * tolerates a slash at the end, and has routes for features that are off.
 */
export const onlyListedRoutes: Koa.Middleware = async (ctx, next) => {
  const allowed = methods.get(ctx.path);
  if (allowed === undefined) return;
  if (allowed.includes(ctx.method)) {
    await next();
    return;
  }
  ctx.status = 405;
  ctx.set('Allow', allowed.join(', '));
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { error: 'invalid_request', error_description: `${ctx.path} does not answer this method` };
};
