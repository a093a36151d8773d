import type Koa from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';

import { paths } from '../routes.ts';

/** The username of an account; undefined if it is suspended or deleted. */
export type FindUsername = (accountId: number) => Promise<string | undefined>;

/**
 * Adds what the provider leaves out for an active token (RFC 7662 §2.2): `sub` of an application's own token, which is
 * the `sub` of the token itself, and the `username` of the person that a token acts for.
 */
export function completeIntrospection(findUsername: FindUsername): Koa.Middleware {
  return async (ctx, next) => {
    await next();
    const isIntrospection = ctx.path === paths.introspection && ctx.method === 'POST' && ctx.status === 200;
    const body: unknown = isIntrospection ? ctx.body : undefined;
    if (!isActive(body)) return;
    const { entities } = (ctx as unknown as KoaContextWithOIDC).oidc; // set by the provider
    const { ClientCredentials: own } = entities;
    if (own !== undefined) {
      ctx.body = { ...body, sub: own.clientId };
      return;
    }
    const accountId = Number((entities.AccessToken ?? entities.RefreshToken)?.accountId);
    const username = Number.isSafeInteger(accountId) ? await findUsername(accountId) : undefined;
    if (username !== undefined) ctx.body = { ...body, username };
  };
}

function isActive(body: unknown): body is object {
  return typeof body === 'object' && body !== null && 'active' in body && body.active === true;
}
