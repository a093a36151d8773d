/**
 * `nonce` with and without `openid` (decisions D48). The provider refuses it without, so it is
 * carried past that check under another name and put back before anything is issued.
 */
import type Koa from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';

import { paths } from './routes.ts';

/** The name it travels under; never taken from a request. */
export const carriedNonce = 'app_nonce';

export const carryNonce: Koa.Middleware = async (ctx, next) => {
  if (ctx.path === paths.authorization && ctx.method === 'GET') {
    const query = new URLSearchParams(ctx.querystring);
    const nonces = query.getAll('nonce');
    const hasOpenid = query.getAll('scope').some((scope) => scope.split(' ').includes('openid'));
    const hadCarried = query.has(carriedNonce);
    query.delete(carriedNonce);
    if (nonces.length === 1 && !hasOpenid) {
      query.set(carriedNonce, nonces[0] ?? '');
      query.delete('nonce');
    }
    if (hadCarried || query.has(carriedNonce)) ctx.querystring = query.toString();
  }
  await next();
};

/** A validator of the provider's `extraParams`: runs after its check of `nonce`. */
export function restoreNonce(ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (value !== undefined && ctx.oidc.params !== undefined) ctx.oidc.params['nonce'] ??= value;
}
