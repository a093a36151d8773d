import type Koa from 'koa';
import type { Provider } from 'oidc-provider';

import { paths } from '../routes.ts';

/** The specification redirects with 302, the provider with 303 (decisions D58). */
export const redirectWith302: Koa.Middleware = async (ctx, next) => {
  await next();
  const isAuthorization = ctx.path === paths.authorization || ctx.path.startsWith(`${paths.authorization}/`);
  if (ctx.status === 303 && isAuthorization) ctx.status = 302;
};

/** The callback tells the scope as granted (specification, User consent flow; decisions D49). */
export function announceGrantedScope(provider: Provider): void {
  provider.on('authorization.success', (ctx, answer) => {
    const scope = ctx.oidc.entities.AuthorizationCode?.scope;
    const out: unknown = answer; // the device flow leaves it out
    if (typeof out === 'object' && out !== null && 'code' in out) Object.assign(out, { scope });
  });
}
