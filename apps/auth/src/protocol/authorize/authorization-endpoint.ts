import type Koa from 'koa';
import type { Provider } from 'oidc-provider';

import { paths } from '../routes.ts';

/** The specification redirects with 302, the provider with 303 (decisions D58). */
export const redirectWith302: Koa.Middleware = async (ctx, next) => {
  await next();
  const isAuthorization = ctx.path === paths.authorization || ctx.path.startsWith(`${paths.authorization}/`);
  if (ctx.status === 303 && isAuthorization) ctx.status = 302;
};

/**
 * The URL that continues a request has its parameters in the stored interaction. Without one, the provider would handle
 * the error with those of the query, and fail where a redirect URI may be left out.
 */
export const ignoreQueryOfResumedRequest: Koa.Middleware = async (ctx, next) => {
  if (ctx.path.startsWith(`${paths.authorization}/`)) ctx.querystring = '';
  await next();
};

/**
 * Adds the granted scope to the authorization response (specification, User consent flow; decisions D49), in the order
 * requested. The provider puts OpenID Connect scopes first.
 */
export function announceGrantedScope(provider: Provider): void {
  provider.on('authorization.success', (ctx, response) => {
    const { entities, params } = ctx.oidc;
    const granted = entities.AuthorizationCode?.scope?.split(' ') ?? [];
    const requested = params?.['scope'];
    const names = typeof requested === 'string' ? requested.split(' ') : [];
    const scope = names.filter((name) => granted.includes(name)).join(' ');
    const out: unknown = response; // undefined in the device flow
    if (typeof out === 'object' && out !== null && 'code' in out) Object.assign(out, { scope });
  });
}
