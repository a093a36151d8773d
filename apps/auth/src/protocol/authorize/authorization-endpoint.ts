import type Koa from 'koa';
import { Provider, errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import { FormRefused } from '../../pages/form/form.ts';
import { readForm } from '../../pages/form/read-form.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { describeSwitch } from '../client/switched-off.ts';
import { paths } from '../request/routes.ts';

/** The specification redirects with 302, the provider with 303 (decisions D49). */
export const redirectWith302: Koa.Middleware = async (ctx, next) => {
  await next();
  const isAuthorization = ctx.path === paths.authorization || ctx.path.startsWith(`${paths.authorization}/`);
  if (ctx.status === 303 && isAuthorization) ctx.status = 302;
};

/**
 * A session that ends while its request is answered, as when the person signs out in another tab, cannot be saved. The response must
 * not be sent then: the browser sends the request again, without a session.
 */
export const repeatWithoutSession: Koa.Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
    ctx.status = ctx.method === 'GET' ? 302 : 303;
    ctx.redirect(ctx.method === 'GET' ? ctx.originalUrl : pagePaths.home);
  }
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

/**
 * `nonce` with and without `openid` (decisions D48). The provider rejects it without `openid`, so it passes that
 * check under another name and is restored before anything is issued.
 */

/** A value that a client sends under this name is dropped. */
export const internalNonceParameter = 'app_nonce';

/**
 * Hides the nonce between the check of the response type and that of `openid`. Works for plain and pushed requests.
 */
export function allowNonceWithoutOpenid(provider: Provider): void {
  const { prototype } = provider.Client;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const original = prototype.responseTypeAllowed;
  prototype.responseTypeAllowed = function responseTypeAllowed(this: Client, type) {
    const params = Provider.ctx?.oidc.params;
    if (params !== undefined) {
      const scope = params['scope'];
      const hasOpenid = typeof scope === 'string' && scope.split(' ').includes('openid');
      params[internalNonceParameter] = hasOpenid ? undefined : params['nonce'];
      if (!hasOpenid) params['nonce'] = undefined;
    }
    // The provider responds with `invalid_request`; RFC 6749 §4.1.2.1 and §4.2.2.1 define a code for this.
    if (Reflect.apply(original, this, [type])) return true;
    throw new errors.UnauthorizedClient(describeSwitch(type === 'none' ? 'implicit' : 'authorization_code'));
  };
}

/** For `extraParams`: the provider runs it after its check of `nonce`. */
export function restoreNonce(ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (ctx.oidc.params === undefined) return;
  ctx.oidc.params[internalNonceParameter] = undefined;
  if (value !== undefined) ctx.oidc.params['nonce'] = value;
}

/** Every common server and proxy accepts a URL of this length. */
const maxQueryLength = 8192;

/** Where browsers arrive with the form of another site. */
const postedPaths: ReadonlySet<string> = new Set([paths.authorization, paths.endSession]);

/**
 * Redirects an authorization or sign-out request that is sent as a form (OpenID Connect Core §3.1.2.1, RP-Initiated
 * Logout §2) to the same request as a URL. A form from another site carries no SameSite=Lax cookies, so nobody would
 * be signed in.
 * @throws FormRefused
 */
export const redirectPostedRequest: Koa.Middleware = async (ctx, next) => {
  if (!postedPaths.has(ctx.path) || ctx.method !== 'POST') {
    await next();
    return;
  }
  const form = await readForm(ctx);
  const query = new URLSearchParams(form.pairs.map((pair) => [...pair])).toString();
  if (query.length > maxQueryLength) throw new FormRefused(413, 'The request is too long for a URL.');
  ctx.status = 303;
  ctx.redirect(`${ctx.path}?${query}`);
};
