/**
 * `response_type=token` (RFC 6749 §4.2; decisions D46). The provider does not support it by itself, so such a
 * request is rewritten to `none` with a response mode of our own that issues the token. Only applications that
 * may use the implicit grant have the response type `none`, and only a rewritten request can use the mode.
 */
import type Koa from 'koa';
import { Provider } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import { paths } from '../request/routes.ts';

const mode = 'implicit';

/** Rewrites `response_type=token`, and makes requests that name our internal mode or `none` invalid. */
export const translateImplicit: Koa.Middleware = async (ctx, next) => {
  if (ctx.path === paths.authorization && ctx.method === 'GET') {
    const query = new URLSearchParams(ctx.querystring);
    const before = query.toString();
    translate(query);
    if (query.toString() !== before) ctx.querystring = query.toString();
  }
  await next();
};

/** Leaves repeated parameters unchanged: the provider rejects them. */
function translate(query: URLSearchParams): void {
  const types = query.getAll('response_type').join(' ');
  const modes = query.getAll('response_mode').join(' ');
  if (modes.split(' ').includes(mode)) query.set('response_mode', 'unknown');
  if (types.split(' ').includes('none')) query.set('response_type', 'unsupported');
  if (types === 'token' && (modes === '' || modes === 'fragment')) {
    query.set('response_type', 'none');
    query.set('response_mode', mode);
  }
}

/** Issues the token after consent, and allows the response mode for rewritten requests only (checklist AZ9). */
export function issueImplicitTokens(provider: Provider, audience: string): void {
  provider.Client.prototype.responseModeAllowed = function responseModeAllowed(this: Client, requested, responseType) {
    // A pushed request is never rewritten, so its client named the internal response type itself.
    if (responseType === 'none' && Provider.ctx?.path === paths.pushedRequest) return false;
    return (requested === mode) === (responseType === 'none') && requested !== 'web_message';
  };
  provider.registerResponseMode(mode, async (ctx, redirectUri, payload) => {
    const response = 'error' in payload ? payload : { ...(await issueToken(provider, audience, ctx)), ...payload };
    const fragment = new URLSearchParams(
      Object.entries(response).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
      ),
    );
    ctx.status = 302;
    ctx.redirect(`${redirectUri}#${fragment.toString()}`);
  });
}

async function issueToken(provider: Provider, audience: string, ctx: KoaContextWithOIDC) {
  const { client, session, params, resourceServers, entities } = ctx.oidc;
  const { Grant: grant } = entities;
  const server = resourceServers?.[audience];
  if (client === undefined || session?.accountId === undefined || grant === undefined || server === undefined) {
    throw new Error('an implicit token was requested before consent');
  }
  const scope = params?.['scope'];
  const requested = typeof scope === 'string' ? scope.split(' ') : [];
  const token = new provider.AccessToken({
    accountId: session.accountId,
    client,
    grantId: grant.jti,
    gty: mode,
    sessionUid: session.uid,
  });
  token.resourceServer = server;
  token.scope = grant.getResourceScopeFiltered(
    audience,
    requested.filter((name) => server.scopes.has(name)),
  );
  const accessToken = await token.save();
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: token.expiration,
    scope: token.scope,
    nonce: params?.['nonce'],
  };
}
